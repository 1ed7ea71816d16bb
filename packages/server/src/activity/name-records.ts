import { findProfiles } from '../auth/store.ts'
import { openIntact } from '../auth/scope-key-store.ts'
import type { RecordKind } from '../calls/records.ts'
import { collectDamage } from '../crypto/cell.ts'
import { KeyWrapError, type VaultScope } from '../crypto/keys.ts'
import { describeNodes, type NodeRef } from '../graph/nodes.ts'
import { titleOf } from '../memories/memory.ts'
import { LostMemoriesError } from '../memories/store.ts'
import { unlockVaults } from '../messages/inbox.ts'
import { findRows } from '../messages/inbox-store.ts'
import { openMessage } from '../messages/store.ts'
import type { PersonContext } from '../operation/context.ts'
import { listVaultIds } from '../vaults/store.ts'
import { listIntactWebhooks } from '../webhooks/store.ts'
import { findOwnKeys, maxWebhooks } from '../webhooks/webhook.ts'

/**
 * What the records of entries are called now. The activity itself holds only ids, so names are read when its owner looks at it: with a few
 * queries for each vault and kind, however many entries there are. Damage is looked into here, so what can't be opened must not hide the rest.
 */

/** What an entry says about its record. */
interface EntryRecord {
  recordKind: string | null
  recordId: string | null
  vaultId: string | null
}

export interface RecordNames {
  /** Null for kinds that have no name here, and for records that can't be opened or aren't there any more. */
  titleOf(entry: EntryRecord): string | null
  /** Null for kinds that have no name here, and for records that can't be opened. */
  exists(entry: EntryRecord): boolean | null
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
  return {
    titleOf: (entry) => names.get(keyOf(entry)) ?? null,
    exists(entry) {
      if (entry.recordId === null || !namedKinds.has(entry.recordKind)) return null
      const name = names.get(keyOf(entry))
      return name === null ? null : name !== undefined
    },
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

/** Null for a record that can't be opened. */
type Names = [key: string, name: string | null][]

const unknown = (keys: Iterable<string>): Names => [...keys].map((key) => [key, null])

async function nameNodes(ctx: Context, entries: readonly EntryRecord[]): Promise<Names> {
  const byVault = Map.groupBy(
    entries.filter((entry) => nodeOf(entry) !== undefined),
    ({ vaultId }) => String(vaultId),
  )
  const names: Names = []
  for (const [vaultId, ofVault] of byVault) {
    const refs = ofVault.flatMap((entry) => nodeOf(entry) ?? [])
    const scope = await unlockVault(ctx, vaultId)
    const found =
      scope === 'damaged'
        ? unknown(refs.map(({ id }) => id))
        : scope === undefined
          ? []
          : await openNodes(ctx, scope, refs)
    names.push(...found.map(([id, name]): Names[number] => [`${vaultId} ${id}`, name]))
  }
  return names
}

async function openNodes(ctx: Context, scope: VaultScope, refs: readonly NodeRef[]): Promise<Names> {
  const { db, now } = ctx
  const damage = collectDamage(ctx.instance.onDamage)
  try {
    const nodes = await describeNodes(db.read, scope, refs, { now: now(), onDamage: damage.onDamage })
    return [...unknown(damage.ids), ...[...nodes].map(([id, { title }]): Names[number] => [id, title])]
  } catch (error) {
    if (!(error instanceof LostMemoriesError)) throw error
    const lost = new Set(error.addresses.map(({ rowId }) => rowId))
    for (const address of error.addresses) damage.onDamage(address)
    const others = refs.filter(({ id }) => !lost.has(id))
    return [...unknown(lost), ...(await openNodes(ctx, scope, others))]
  }
}

/** An entry doesn't always say which vault a message is in, so all of the person's vaults are looked at. */
async function nameMessages(ctx: Context, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return []
  const { db, actor, instance, now } = ctx
  const vaultIds = await listVaultIds(db.read, actor.userId)
  const found = await findRows(db.read, { userId: actor.userId, vaultIds }, ids)
  const byVault = Map.groupBy(
    found.filter(({ expiresAt }) => expiresAt > now()),
    ({ vaultId }) => vaultId,
  )
  const names: Names = []
  for (const [vaultId, rows] of byVault) {
    names.push(...unknown(rows.map(({ id }) => id)))
    const scope = await unlockVault(ctx, vaultId)
    if (scope === undefined || scope === 'damaged') continue
    const messages = await openIntact(db.read, rows, (row) => openMessage(scope, row), instance.onDamage)
    for (const { messageId, subject, content } of messages)
      names.push([messageId, titleOf({ content, head: { summary: subject } })])
  }
  return names
}

async function nameAgents({ db, instance, actor }: Context, ids: readonly string[]): Promise<Names> {
  const profiles = await findProfiles(db.read, instance, actor.userId, new Set(ids))
  return [...profiles].map(([id, { label, isDamaged }]) => [id, isDamaged ? null : label])
}

async function nameWebhooks(ctx: Context, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return []
  const { db, actor, instance } = ctx
  const keys = await orDamaged(ctx, actor.userId, () => findOwnKeys(ctx))
  if (keys === 'damaged') return unknown(ids)
  const damage = collectDamage(instance.onDamage)
  const all = { limit: maxWebhooks, offset: 0, onDamage: damage.onDamage }
  const { webhooks } = await listIntactWebhooks(db.read, keys, actor.userId, all)
  return [...unknown(damage.ids), ...webhooks.map(({ id, endpoint }): Names[number] => [id, endpoint.url])]
}

/** Undefined for a vault that is being erased, or of someone else. One at a time: a damaged key must not lock the other vaults. */
const unlockVault = (ctx: Context, vaultId: string): Promise<VaultScope | 'damaged' | undefined> =>
  orDamaged(ctx, vaultId, async () => (await unlockVaults(ctx, [vaultId])).get(vaultId))

async function orDamaged<Keys>(
  { actor, instance }: Context,
  scopeId: string,
  unlock: () => Promise<Keys>,
): Promise<Keys | 'damaged'> {
  try {
    return await unlock()
  } catch (error) {
    if (!(error instanceof KeyWrapError)) throw error
    instance.onDamage({
      userId: actor.userId,
      scopeId,
      table: 'vaultKeys',
      rowId: scopeId,
      column: 'wrappedKey',
      revision: 1,
    })
    return 'damaged'
  }
}
