import { z } from 'zod'
import { findPeople } from '../auth/person-store.ts'
import { findUserActor, lockUser } from '../auth/store.ts'
import { conflict, forbidden, notFound } from '../core/errors.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import type { StoredVault, VaultProfile } from './store.ts'
import {
  changeVault,
  describeShared,
  describeVault,
  exampleVault,
  getVault,
  openVaults,
  refuseTakenName,
  vaultFields,
  ownVaultId,
  vaultRecord,
} from './vault.ts'

export const updateVault = operation({
  name: 'update-vault',
  for: { person: 'PATCH /api/vaults' },
  vault: 'named',
  leastRole: 'admin',
  summary: 'Rename a vault, describe it, or make it the default, which only its owner can.',
  effect: 'write',
  changes: ['vaults'],
  about: ({ id }) => refs('vault', id),
  input: z.object({
    id: ownVaultId,
    name: vaultFields.name.optional(),
    description: z.string().max(2000).nullable().optional().describe('What the vault is for; null clears it.'),
    isDefault: z.literal(true).optional().describe('Makes it the default instead of the current one.'),
    expectedVersion: fields.expectedVersion,
  }),
  output: z.looseObject({ vault: vaultRecord }),
  examples: {
    input: { id: exampleVault.vaultId, name: 'Work' },
    output: { vault: { ...exampleVault, name: 'Work', version: 2 } },
  },
  async run({ id, expectedVersion, ...patch }, ctx) {
    const { actor, db, instance, keyring, now, vault: place } = ctx
    if (patch.isDefault === true && actor.isMember === true)
      throw forbidden("Only the vault's owner can make it the default.")
    const at = now()
    const vault = await db.write(async (tx) => {
      await lockUser(tx, place.userId)
      const ownersActor = await findUserActor(tx, place.userId)
      if (ownersActor === undefined) throw notFound('Vault')
      const owner = { userId: place.userId, mek: keyring.mek(ownersActor) }
      const opener = { keyring, actor: ownersActor, mek: owner.mek, instance }
      const before = await getVault(tx, opener, id)
      if (expectedVersion !== undefined && expectedVersion !== before.version)
        throw conflict(`The vault has version ${before.version}, not ${expectedVersion}. Read it again`)
      // A name that two vaults have already can stay. A member would learn the names of vaults that they can't see.
      const newName = actor.isMember === true || patch.name === before.profile.name ? undefined : patch.name
      const vaults = newName !== undefined || patch.isDefault === true ? await openVaults(tx, opener) : []
      if (newName !== undefined) refuseTakenName(vaults, newName, id)
      if (patch.isDefault === true)
        for (const other of vaults)
          if (other.isDefault && other.vaultId !== id)
            await changeVault(tx, { keyring, owner }, other, { isDefault: false, at })
      const isDefault = patch.isDefault ?? before.isDefault
      return changeVault(tx, { keyring, owner }, before, { profile: profileAfter(before, patch), isDefault, at })
    })
    return { vault: await describe(ctx, vault) }
  },
})

async function describe(
  {
    actor,
    db,
    instance,
    now,
    vaultCounting,
    vault: { userId: ownerId, role },
  }: Pick<PersonVaultContext, 'actor' | 'db' | 'instance' | 'now' | 'vault' | 'vaultCounting'>,
  vault: StoredVault,
): Promise<z.infer<typeof vaultRecord>> {
  const counts = await vaultCounting.count(ownerId, [vault], now())
  if (actor.isMember !== true || role === undefined || role === 'owner') return describeVault(vault, counts, 'admin')
  return describeShared(vault, counts, { ownerId, role, people: await findPeople(db.read, instance, [ownerId]) })
}

interface ProfilePatch {
  name?: string | undefined
  description?: string | null | undefined
}

const profileAfter = ({ profile }: StoredVault, { name, description }: ProfilePatch): VaultProfile => ({
  name: name ?? profile.name,
  description: description === undefined ? profile.description : (description ?? undefined),
})
