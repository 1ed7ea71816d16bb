import type { Integration } from './store.ts'

/** What an integration's keys can do, and where. */
type Rights = Pick<Integration, 'preset' | 'restrictToVault' | 'grants'>

const noRights: Rights = { preset: '', restrictToVault: true, grants: [] }

/** Whether its keys are admin in any vault. */
export const isAdmin = (rights: Rights): boolean => gainsAdmin(noRights, rights)

/** Whether its keys become admin in a vault where they weren't. The keys of a paused integration can do nothing until it is resumed. */
export function addsAdmin(before: Rights & { isActive: boolean }, after: Rights & { isActive: boolean }): boolean {
  const isResumed = !before.isActive && after.isActive
  return gainsAdmin(isResumed ? noRights : before, after)
}

function gainsAdmin(before: Rights, after: Rights): boolean {
  const named = [...before.grants, ...after.grants].map(({ vaultId }) => vaultId)
  // Undefined stands for all vaults that neither access list names, and for later ones.
  return [undefined, ...named].some((vaultId) => isAdminIn(after, vaultId) && !isAdminIn(before, vaultId))
}

function isAdminIn({ preset, restrictToVault, grants }: Rights, vaultId: string | undefined): boolean {
  const grant = grants.find((granted) => granted.vaultId === vaultId)
  if (grant === undefined && restrictToVault) return false
  return (grant?.preset ?? preset) === 'admin'
}
