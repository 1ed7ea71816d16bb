import { collectDamage } from '../crypto/cell.ts'
import { findProfiles } from '../auth/store.ts'
import type { RecordKind } from '../calls/records.ts'
import { describeNodes, type NodeRef } from '../graph/nodes.ts'
import { titleOf } from '../memories/memory.ts'
import { unlockVaults } from '../messages/inbox.ts'
import { findRows } from '../messages/inbox-store.ts'
import { openMessages } from '../messages/store.ts'
import type { PersonContext } from '../operation/context.ts'
import { listVaultIds } from '../vaults/store.ts'
import { listIntactWebhooks } from '../webhooks/store.ts'
import { findOwnKeys, maxWebhooks } from '../webhooks/webhook.ts'

/**
 * What the records of entries are called now. The activity itself holds only ids, so names are read when its owner looks at it: with a few
 * queries for each vault and kind, however many entries there are.
 */

/** What an entry says about its record. */
interface EntryRecord {
  recordKind: string | null
  recordId: string | null
  vaultId: string | null
}

export interface RecordNames {
  /** Null for kinds that have no name here, and for records that aren't there any more. */
  titleOf(entry: EntryRecord): string | null
  /** Undefined for kinds that have no name here. */
  exists(entry: EntryRecord): boolean | undefined
}

const namedKinds: ReadonlySet<string | null> = new Set<RecordKind>([
  'memory',
  'task',
  'note',
  'message',
  'integration',
  'webhook',
])

type Context = Pick<PersonContext, 'actor' | 'db' | 'instance' | 'keyring' | 'mek' | 'now'>

export async function nameRecords(ctx: Context, entries: readonly EntryRecord[]): Promise<RecordNames> {
  const idsOf = (kind: RecordKind) => [
    ...new Set(entries.flatMap(({ recordKind, recordId }) => (recordKind === kind ? (recordId ?? []) : []))),
  ]
  const names = new Map([
    ...(await nameNodes(ctx, entries)),
    ...(await nameMessages(ctx, idsOf('message'))),
    ...(await nameAgents(ctx, idsOf('integration'))),
    ...(await nameWebhooks(ctx, idsOf('webhook'))),
  ])
  const nameOf = (entry: EntryRecord) => names.get(keyOf(entry)) ?? null
  return {
    titleOf: nameOf,
    exists: (entry) =>
      entry.recordId === null || !namedKinds.has(entry.recordKind) ? undefined : nameOf(entry) !== null,
  }
}

/** Memories and tasks that moved to another vault keep their ids, and aren't named where they no longer are. */
const keyOf = (entry: EntryRecord): string =>
  nodeOf(entry) === undefined ? String(entry.recordId) : `${entry.vaultId} ${entry.recordId}`

function nodeOf({ recordKind, recordId: id, vaultId }: EntryRecord): NodeRef | undefined {
  if (id === null || vaultId === null) return undefined
  if (recordKind === 'note') return { type: 'note', id }
  return recordKind === 'memory' || recordKind === 'task' ? { type: 'memory', id } : undefined
}

type Names = [key: string, name: string][]

async function nameNodes(ctx: Context, entries: readonly EntryRecord[]): Promise<Names> {
  const byVault = Map.groupBy(
    entries.filter((entry) => nodeOf(entry) !== undefined),
    ({ vaultId }) => String(vaultId),
  )
  const names: Names = []
  for (const [vaultId, scope] of await unlockVaults(ctx, byVault.keys())) {
    const refs = (byVault.get(vaultId) ?? []).flatMap((entry) => nodeOf(entry) ?? [])
    const nodes = await describeNodes(ctx.db.read, scope, refs, ctx.now())
    names.push(...[...nodes].map(([id, { title }]): [string, string] => [`${vaultId} ${id}`, title]))
  }
  return names
}

/** An entry doesn't always say which vault a message is in, so all of the person's vaults are looked at. */
async function nameMessages(ctx: Context, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return []
  const { db, actor, now } = ctx
  const vaultIds = await listVaultIds(db.read, actor.userId)
  const found = await findRows(db.read, { userId: actor.userId, vaultIds }, ids)
  const rows = found.filter(({ expiresAt }) => expiresAt > now())
  const scopes = await unlockVaults(
    ctx,
    rows.map(({ vaultId }) => vaultId),
  )
  return openMessages(scopes, { rows, acks: new Map() }).map(({ message: { messageId, subject, content } }) => [
    messageId,
    titleOf({ content, head: { summary: subject } }),
  ])
}

async function nameAgents({ db, instance, actor }: Context, ids: readonly string[]): Promise<Names> {
  const profiles = await findProfiles(db.read, instance, actor.userId, new Set(ids))
  return [...profiles].map(([id, { label }]) => [id, label])
}

async function nameWebhooks(ctx: Context, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return []
  const { onDamage } = collectDamage(ctx.instance.onDamage)
  const all = { limit: maxWebhooks, offset: 0, onDamage }
  const { webhooks } = await listIntactWebhooks(ctx.db.read, await findOwnKeys(ctx), ctx.actor.userId, all)
  return webhooks.map(({ id, endpoint }) => [id, endpoint.url])
}
