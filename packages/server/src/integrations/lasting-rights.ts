import type { IntegrationProfile } from '../auth/store.ts'
import { defaultWritePolicy, isLooser } from '../auth/write-policy.ts'
import type { Integration } from './store.ts'

/** What a person with a second factor gives an integration only with it, because it outlives the session. */

/** What an integration's keys can do, and where. */
type Rights = Pick<Integration, 'preset' | 'restrictToVault' | 'grants'>

const noRights: Rights = { preset: '', restrictToVault: true, grants: [] }

/** Whether its keys are admin in any vault. */
export const isAdmin = (rights: Rights): boolean => gainsAdmin(noRights, rights)

interface Given extends Rights {
  isActive: boolean
  profile: Pick<IntegrationProfile, 'writePolicy'>
}

/** Whether a new integration has them. */
export const hasLastingRights = (given: Rights & Pick<IntegrationProfile, 'writePolicy'>): boolean =>
  isAdmin(given) || isLooser(given.writePolicy ?? defaultWritePolicy, defaultWritePolicy)

/**
 * Whether its keys become admin in a vault where they weren't, or may change more of what others wrote. The keys of a paused integration
 * can do nothing until it is resumed, so resuming gives all of it again.
 */
export function addsLastingRights(before: Given, after: Given): boolean {
  const { writePolicy } = after.profile
  const { writePolicy: former = defaultWritePolicy } = before.profile
  const isResumed = !before.isActive && after.isActive
  if (isResumed && hasLastingRights({ ...after, writePolicy })) return true
  return gainsAdmin(before, after) || isLooser(writePolicy ?? defaultWritePolicy, former)
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
