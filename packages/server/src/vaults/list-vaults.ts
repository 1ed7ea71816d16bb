import { z } from 'zod'
import { findPeople } from '../auth/person-store.ts'
import { notFound } from '../core/errors.ts'
import { isoTimeOrNull } from '../core/time.ts'
import type { CallContext, PersonContext, VaultCounts } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { countMembers, listInvitationsOf, listMemberships, type Membership } from './member-store.ts'
import { describeInvitation, invitationRecord } from './member.ts'
import { findVaultOfRecord } from './record-store.ts'
import { openVaultsOfOthers } from './shared-vault.ts'
import { listVaultIds, type StoredVault } from './store.ts'
import {
  describeShared,
  describeVault,
  exampleVault,
  listVaultsWith,
  openVaults,
  ownVaultId,
  presetIn,
  vaultRecord,
} from './vault.ts'

const receivedInvitation = invitationRecord
  .extend({ vaultId: z.uuid(), vaultName: z.string().describe('All that you see of the vault until you accept.') })
  .meta({ id: 'ReceivedInvitation' })

export type ReceivedInvitation = z.output<typeof receivedInvitation>

export const vaultList = z.looseObject({
  vaults: z.array(vaultRecord),
  invitations: z
    .array(receivedInvitation)
    .optional()
    .describe('Vaults that you are invited to. Only for people, and without `id`.'),
  ...page,
})

export const listVaults = operation({
  name: 'list-vaults',
  for: { agent: { toolset: 'vaults', scopes: ['read'] }, person: 'GET /api/vaults' },
  vault: 'all',
  summary:
    'List the vaults that you can read, with counts, the default vault first. People also see those that others share with them, after their own.',
  effect: 'read',
  outdatedBy: ['vaults', 'memories', 'notes', 'tasks'],
  about: ({ id }) => refs('vault', id),
  input: z.object({
    id: ownVaultId.optional().describe('Only this vault.'),
    recordId: z
      .uuid()
      .optional()
      .describe('Only the vault that contains this memory, task or note. None if no vault does.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.common,
  }),
  output: vaultList,
  examples: { input: {}, output: { vaults: [exampleVault], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ id, recordId, limit, offset }, ctx) {
    const { actor } = ctx
    // A person can delete a vault whose keys are lost.
    const own =
      actor.kind === 'person'
        ? await listVaultIds(ctx.db.read, actor.userId, { withLost: true })
        : await listVaultsWith(ctx, 'read')
    const shared = actor.kind === 'person' ? await openShared(ctx) : []
    const all: FoundVault[] = [...own.map((vaultId) => ({ vaultId })), ...shared]
    const only = recordId === undefined ? undefined : await findVaultAmong(ctx, all, recordId)
    const readable = all.filter(
      ({ vaultId }) => (id === undefined || vaultId === id) && (recordId === undefined || vaultId === only),
    )
    if (id !== undefined && readable.length === 0) throw notFound('Vault')
    const isWhole = id === undefined && recordId === undefined
    return {
      vaults: await describeAll(ctx, await openPage(ctx, readable.slice(offset, offset + limit))),
      ...(actor.kind === 'person' && isWhole && { invitations: await describeInvitations(ctx) }),
      ...pageOf({ limit, offset }, readable.length),
    }
  },
})

/** A vault of the caller, which is only opened if it is on the page; or one that is shared with them. */
type FoundVault = { vaultId: string; vault?: undefined; membership?: undefined } | SharedVault

interface ListedVault {
  vault: StoredVault
  /** Of the caller; undefined in their own vault. */
  membership: Membership | undefined
}

interface SharedVault extends ListedVault {
  vaultId: string
}

type Context = Pick<CallContext, 'actor' | 'db' | 'instance' | 'keyring' | 'now' | 'vaultCounting'> &
  Pick<PersonContext, 'mek'>

/** Vaults that were deleted in the meantime are missing. */
async function openPage(ctx: Context, found: readonly FoundVault[]): Promise<ListedVault[]> {
  const ownIds = found.flatMap(({ vaultId, vault }) => (vault === undefined ? vaultId : []))
  const own = new Map((await openVaults(ctx.db.read, ctx, ownIds)).map((vault) => [vault.vaultId, vault]))
  return found.flatMap(({ vaultId, vault = own.get(vaultId), membership }) =>
    vault === undefined ? [] : [{ vault, membership }],
  )
}

async function openShared(ctx: Context): Promise<SharedVault[]> {
  const memberships = await listMemberships(ctx.db.read, ctx.actor.userId)
  const opened = await openVaultsOfOthers(ctx.db.read, ctx, memberships)
  return opened.map((vault) => ({
    vaultId: vault.vaultId,
    vault,
    membership: memberships.find(({ vaultId }) => vaultId === vault.vaultId),
  }))
}

/** Undefined if none of the owners of these vaults has the record. */
async function findVaultAmong(
  { actor, db }: Context,
  listed: readonly FoundVault[],
  recordId: string,
): Promise<string | undefined> {
  for (const ownerId of new Set(listed.map(({ membership }) => membership?.userId ?? actor.userId))) {
    const vaultId = await findVaultOfRecord(db.read, ownerId, recordId)
    if (vaultId !== undefined) return vaultId
  }
  return undefined
}

async function describeAll({ actor, db, instance, now, vaultCounting }: Context, listed: readonly ListedVault[]) {
  const people = await findPeople(
    db.read,
    instance,
    listed.flatMap(({ membership }) => membership?.userId ?? []),
  )
  const counts = new Map<string, VaultCounts>()
  const byOwner = Map.groupBy(listed, ({ membership }) => membership?.userId ?? actor.userId)
  for (const [ownerId, some] of byOwner) {
    const vaults = some.map(({ vault }) => vault)
    for (const [vaultId, count] of await vaultCounting.count(ownerId, vaults, now())) counts.set(vaultId, count)
  }
  const own = listed.flatMap(({ vault, membership }) => (membership === undefined ? vault.vaultId : []))
  const members = actor.kind === 'person' ? await countMembers(db.read, actor.userId, own) : undefined
  return listed.map(({ vault, membership }) => ({
    ...(membership === undefined
      ? {
          ...describeVault(vault, counts, presetIn(actor, vault.vaultId)),
          ...(members !== undefined && { memberCount: members.get(vault.vaultId) ?? 0 }),
        }
      : describeShared(vault, counts, { ownerId: membership.userId, role: membership.role, people })),
    lastWriteAt: isoTimeOrNull(counts.get(vault.vaultId)?.lastWriteAt),
  }))
}

/** Nothing of the vaults but their names, and who invites. */
async function describeInvitations(ctx: Context) {
  const { actor, db, instance } = ctx
  const invitations = await listInvitationsOf(db.read, instance, actor.userId)
  const vaults = await openVaultsOfOthers(db.read, ctx, invitations)
  const people = await findPeople(
    db.read,
    instance,
    invitations.map(({ invitedBy }) => invitedBy),
  )
  return invitations.flatMap((invitation) => {
    const vault = vaults.find(({ vaultId }) => vaultId === invitation.vaultId)
    if (vault === undefined) return []
    return [{ ...describeInvitation(invitation, people), vaultId: vault.vaultId, vaultName: vault.profile.name }]
  })
}
