import { pauses } from '../core/in-pieces.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { VaultDigestsTable } from '../db/tables/vaults.ts'
import type { Services } from '../operation/context.ts'
import { lockVault, lockVaultRow } from '../vault-index/stored/store.ts'
import {
  compareSegment,
  digestKinds,
  encodeRecords,
  firstKey,
  isSameKey,
  type Difference,
  type DigestedRecord,
  type DigestKind,
  type RecordKey,
  type Segment,
} from './digest.ts'
import {
  beginOf,
  deleteSegment,
  findImported,
  findRemoved,
  findVaultAfter,
  findVaultsOf,
  listRecords,
  listSegments,
  listStraySegments,
  openSegment,
  writeSegment,
} from './digest-store.ts'
import { describeFound, type Found, type Problem } from './problem.ts'
import type { RowKey } from './row-store.ts'
import type { Scopes } from './scopes.ts'

/**
 * Compares the records of vaults with what the last check remembered of them, segment by segment, and remembers them as they are now. A dry
 * run keeps what it found different, so that the next check finds it again; a repair accepts it, because nothing brings it back.
 */

type Deps = Pick<Services, 'db' | 'now' | 'log'> & { scopes: Scopes }

interface Place {
  scope: VaultScope
  kind: DigestKind
  from: RecordKey
}

export interface DigestStep {
  problems: Problem[]
  /** After which the next step continues; undefined after the last vault. */
  next: RowKey | undefined
}

/** One segment, or only moves on to the next vault. `only`: the id of the only vault. */
export async function checkDigest(
  deps: Deps,
  { userId, after, only }: { userId: string; after: RowKey | null; only: string | undefined },
  repairs: boolean,
): Promise<DigestStep> {
  const [vaultId, kind, at, id] = after ?? []
  if (typeof vaultId !== 'string' || vaultId === '') {
    const first = only ?? (await findVaultAfter(deps.db.read, userId, ''))
    return { problems: [], next: first === undefined ? undefined : beginningOf(first) }
  }
  const nextVault = async (): Promise<DigestStep> => {
    const next = only === undefined ? await findVaultAfter(deps.db.read, userId, vaultId) : undefined
    return { problems: [], next: next === undefined ? undefined : beginningOf(next) }
  }
  const from = { at: Number(at), id: String(id) }
  const scope = await deps.scopes.open(userId, vaultId)
  const known = digestKinds.find((one) => one === kind)
  if (typeof scope === 'string' || known === undefined) return nextVault()
  const stray = known === digestKinds[0] && isSameKey(from, firstKey) ? await findStray(deps, scope, repairs) : []
  const step = await checkSegment(deps, { scope, kind: known, from }, repairs)
  const problems = [...stray, ...step.found].map((one) => describeFound(one, scope, repairs))
  if (step.next !== undefined) return { problems, next: [vaultId, known, step.next.at, step.next.id] }
  const following = digestKinds[digestKinds.indexOf(known) + 1]
  if (following !== undefined) return { problems, next: [vaultId, following, firstKey.at, firstKey.id] }
  return { ...(await nextVault()), problems }
}

/** Segments whose kind or beginning is none. No check would read them, and a rotation would keep their key. */
async function findStray({ db }: Deps, scope: VaultScope, repairs: boolean): Promise<Found[]> {
  const stray = await listStraySegments(db.read, scope)
  if (repairs && stray.length > 0)
    await db.write(async (tx) => {
      for (const one of stray) await deleteSegment(tx, scope, one)
    }, scope.id)
  const found: Found = {
    table: 'vaultDigests',
    recordId: scope.id,
    column: 'kind',
    problem: 'surplus',
    repair: async () => {},
  }
  return stray.length === 0 ? [] : [found]
}

const beginningOf = (vaultId: string): RowKey => [vaultId, digestKinds[0], firstKey.at, firstKey.id]

/** A segment has so many records, and more only until the next check. */
const segmentRecords = 500

async function checkSegment(
  { db, now, log }: Deps,
  place: Place,
  repairs: boolean,
): Promise<{ found: Found[]; next: RecordKey | undefined }> {
  const { userId, id } = place.scope
  const seen = await inspect(db.read, place, pauses())
  if (seen.found.length === 0 && isSame(seen, place.from)) return seen
  // Once more while nothing else writes to the vault: records that were read one after another may only have seemed to be gone.
  const step = await db.write(async (tx) => {
    if (!(await lockVaultRow(tx, userId, id))) return { found: [], next: seen.next }
    // Throws if the keys were replaced: then the segment must be compared again, with the new ones.
    await lockVault(tx, place.scope)
    const sure = await inspect(tx, place)
    if (sure.found.length === 0 || repairs) await remember(tx, place, sure, now())
    return sure
  }, id)
  // No later check finds them, and the answer may get lost.
  if (repairs)
    for (const { table, recordId, problem } of step.found)
      if (table !== 'vaultDigests')
        log.warn('check accepted a lost record', { userId, vaultId: id, table, recordId, problem })
  return step
}

interface Inspected extends ReadSegment {
  stored: VaultDigestsTable | undefined
  former: Segment | undefined
  found: Found[]
}

/** `pause` is called between its reads; a transaction makes none, because others wait for its lock. */
async function inspect(db: Reader, place: Place, pause = async () => {}): Promise<Inspected> {
  const { scope, kind, from } = place
  // Before the records: another check may write it meanwhile, and what it then says is newer than they are.
  const rows = await listSegments(db, scope, kind, from)
  const stored = rows.find((row) => isSameKey(beginOf(row), from))
  const following = rows.find((row) => row !== stored)
  const opened = stored && (await openSegment(db, scope, stored))
  // After an update and a step back. It counts as not remembered, and is written again.
  const isForeign = opened === 'foreign'
  const former = isForeign ? undefined : opened
  const end = following && beginOf(following)
  const read = await readSegment(db, place, { end, reach: former?.to, pause })
  const differences = former === undefined ? [] : await findDifferences(db, place, former, read.records)
  const damage = isForeign ? [] : findDamage(place, { stored, former, end })
  const found = [...damage, ...differences.map((one) => describe(kind, one))]
  return { ...read, stored, former, found, next: end ?? read.next }
}

interface ReadSegment {
  records: DigestedRecord[]
  /** The keys of `records`. */
  keys: RecordKey[]
  to: RecordKey
  /** If there may be more records, and no segment. */
  next: RecordKey | undefined
}

/** The records up to the next segment. After the last one: those that it covers, and others until it is full. */
async function readSegment(
  db: Reader,
  { scope, kind, from }: Place,
  { end, reach, pause }: { end: RecordKey | undefined; reach: RecordKey | undefined; pause: () => Promise<void> },
): Promise<ReadSegment> {
  const records: DigestedRecord[] = []
  const keys: RecordKey[] = []
  const readSome = async (after: RecordKey, upTo: RecordKey | undefined, limit: number) => {
    await pause()
    const some = await listRecords(db, scope, kind, { after, upTo, limit })
    for (const { key, record } of some) {
      if (record === undefined) continue
      records.push(record)
      keys.push(key)
    }
    return { last: some.at(-1)?.key, isFull: some.length === limit }
  }
  const covered = end ?? reach
  if (covered !== undefined)
    for (let after: RecordKey | undefined = from; after !== undefined;) {
      const { last, isFull }: { last: RecordKey | undefined; isFull: boolean } = await readSome(
        after,
        covered,
        segmentRecords,
      )
      after = isFull ? last : undefined
    }
  const to = covered ?? from
  const room = segmentRecords - records.length
  if (end !== undefined) return { records, keys, to, next: undefined }
  // The next step begins a new segment.
  if (room <= 0) return { records, keys, to, next: to }
  const { last = to, isFull } = await readSome(to, undefined, room)
  return { records, keys, to: last, next: isFull ? last : undefined }
}

interface NewSegment {
  from: RecordKey
  segment: Segment
}

function cut(
  { records, keys, to }: ReadSegment,
  { from, writtenAt }: { from: RecordKey; writtenAt: number },
): NewSegment[] {
  const segments: NewSegment[] = []
  let begin = from
  // An import of old records can make a segment much longer.
  const size = records.length > 2 * segmentRecords ? segmentRecords : Math.max(records.length, 1)
  for (let at = 0; at === 0 || at < records.length; at += size) {
    const reach = at + size < records.length ? (keys[at + size - 1] ?? to) : to
    segments.push({ from: begin, segment: { to: reach, writtenAt, records: records.slice(at, at + size) } })
    begin = reach
  }
  return segments.filter(({ segment, from: start }) => !isSameKey(segment.to, start))
}

/** Whether what is remembered says the same already. */
function isSame({ stored, former, records, to }: Inspected, from: RecordKey): boolean {
  if (former === undefined) return stored === undefined && isSameKey(to, from)
  const isCut = records.length > 2 * segmentRecords
  return !isCut && isSameKey(to, former.to) && encodeRecords(records).equals(encodeRecords(former.records))
}

async function remember(tx: Tx, { scope, kind, from }: Place, inspected: Inspected, writtenAt: number): Promise<void> {
  const revision = (inspected.stored?.revision ?? 0) + 1
  // One that doesn't open may have been moved to where no records are.
  if (inspected.stored !== undefined && isSameKey(inspected.to, from)) await deleteSegment(tx, scope, inspected.stored)
  for (const { from: begin, segment } of cut(inspected, { from, writtenAt }))
    await writeSegment(tx, scope, kind, { from: begin, revision: begin === from ? revision : 1, segment })
}

async function findDifferences(
  db: Reader,
  { scope, kind }: Place,
  former: Segment,
  records: readonly DigestedRecord[],
): Promise<Difference[]> {
  const differences = compareSegment(kind, former.records, records)
  if (differences.length === 0) return []
  const missing = differences.filter(({ problem }) => problem === 'missing').map(({ recorded }) => recorded)
  const ids = missing.map(({ id }) => id)
  const places = missing.length === 0 ? new Map<string, string>() : await findVaultsOf(db, scope.userId, kind, ids)
  const removed = missing.length === 0 ? new Set<string>() : await findRemoved(db, scope, kind, missing)
  const all = differences.map(({ id }) => id)
  const imported = await findImported(db, scope, former.writtenAt, all)
  return differences.flatMap((one): Difference[] => {
    if (imported.has(one.id)) return []
    if (one.problem !== 'missing') return [one]
    const vaultId = places.get(one.id)
    // When it was created has changed, by which records are in order.
    if (vaultId === scope.id) return [{ ...one, problem: 'changed' }]
    // A row that names another vault is found with the rows.
    return vaultId !== undefined || removed.has(one.id) ? [] : [one]
  })
}

const details = {
  missing: 'nobody deleted it; a repair accepts that it is lost',
  rolled_back: 'it is an older version than an earlier check has seen; a repair accepts it',
  changed: 'its plain columns changed without a new version; a repair accepts them',
}

const describe = (kind: DigestKind, { id, part, problem }: Difference): Found => ({
  table: part === 'task' ? 'tasks' : kind,
  recordId: id,
  problem,
  detail: details[problem],
})

/** A segment that doesn't open, or that is gone: the one before ends where it began. */
function findDamage(
  { scope, kind, from }: Place,
  {
    stored,
    former,
    end,
  }: { stored: VaultDigestsTable | undefined; former: Segment | undefined; end: RecordKey | undefined },
): Found[] {
  const name = { table: 'vaultDigests', recordId: scope.id }
  const lost = { detail: `what earlier checks have seen of some ${kind} is lost`, repair: async () => {} }
  if (stored !== undefined && former === undefined) return [{ ...name, column: 'cell', problem: 'unreadable', ...lost }]
  const covered = former?.to ?? from
  return end === undefined || isSameKey(covered, end) ? [] : [{ ...name, problem: 'missing', ...lost }]
}
