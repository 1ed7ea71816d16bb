import { setImmediate as nextTurn } from 'node:timers/promises'
import { lockUser } from '../auth/store.ts'
import { conflict } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { findLink } from '../links/store.ts'
import { unarchive } from '../memories/archive-memory.ts'
import { findMemories } from '../memories/store.ts'
import { findNotes } from '../notes/store.ts'
import { restoreTrashed } from '../notes/restore-note.ts'
import type { KeptVersion } from '../operation/writer.ts'
import { forgetRemovals } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { findPlaces, freshIdsOf, isNode, ownKeys, refsOf, type FreshIds, type Places } from './find-places.ts'
import {
  forgetReverted,
  insertImported,
  isImported,
  isReverted,
  listReverted,
  recordImport,
  type ImportedRecord,
  type ImportOrigin,
} from './imported-store.ts'
import { nodeOf, placeVersion, refuseVersion, type NodeVersion } from './place-version.ts'
import type { CheckedOf, CheckedRecord } from './record.ts'
import { prepareMemory, prepareNote, type Importing, type Writing } from './write-nodes.ts'
import {
  isSettled,
  planDocumentVersion,
  writeDocument,
  writeDocumentVersion,
  writeFolder,
  writeLink,
  writeMessage,
  writeSettings,
  type Written,
} from './write-others.ts'

/** Writes a batch of an import. Existing records stay unchanged, so an interrupted import can be run again. */

export type Outcome =
  | { status: 'created'; recordId: string | undefined; version: number; reason?: string | undefined }
  /** A revert had removed it, and it is back unchanged. */
  | { status: 'restored'; recordId: string; version: number }
  | { status: 'existing' }
  | { status: 'left'; reason: string }

export interface Batch {
  importId: string
  origin: ImportOrigin | undefined
  records: readonly CheckedRecord[]
}

interface Writer extends Importing {
  db: Database
}

/**
 * Uses several short transactions, so other writes can run in between. If a later one fails, the records written before stay,
 * and are found when the batch is sent again.
 */
export async function writeBatch(ctx: Writer, { importId, origin, records }: Batch): Promise<Outcome[]> {
  const { db } = ctx
  const freshIds = freshIdsOf(records)
  const planned = await findPlaces(db.read, ctx, records, freshIds)
  const prepared = await prepareAll(ctx, planned, records)
  const outcomes: Outcome[] = []
  while (outcomes.length < records.length) {
    const rest = records.slice(outcomes.length)
    const part = { importId, origin, records: rest, freshIds, planned, prepared: prepared.slice(outcomes.length) }
    outcomes.push(...(await db.write((tx) => writePart(tx, ctx, part))))
    await nextTurn()
  }
  return outcomes
}

/** After this time a transaction ends with its current record. */
export const partMs = 40

interface Part extends Batch {
  freshIds: FreshIds
  planned: Places
  prepared: readonly (Writing | undefined)[]
}

/** Writes the first records, at least one, and returns their outcomes. */
async function writePart(
  tx: Tx,
  ctx: Writer,
  { importId, origin, records, freshIds, planned, prepared }: Part,
): Promise<Outcome[]> {
  const { vault } = ctx
  // Of two equal batches at once, even into different vaults, the second sees the ids that the first has taken.
  await lockUser(tx, vault.userId)
  const seq = await nextSeq(tx, vault)
  await refuseReverted(tx, ctx, importId)
  const places = await findPlaces(tx, ctx, records, freshIds)
  const reverted = await listReverted(tx, vault, placesOf(places, records))
  const writing = { ctx, tx, seq, planned, places, reverted, importId, written: new Set<string>() }
  const outcomes: Outcome[] = []
  const endAt = performance.now() + partMs
  for (const [at, record] of records.entries()) {
    outcomes.push(await writeOne(writing, record, prepared[at]))
    if (performance.now() > endAt) break
  }
  const made = listCreated(records, outcomes)
  if (made.length > 0) await recordImport(tx, vault, { importId, origin, at: ctx.now() })
  await insertImported(tx, vault, importId, made)
  const back = made.filter(({ kind }) => kind === 'note' || kind === 'memory').map(({ recordId }) => recordId)
  await forgetRemovals(tx, vault, back)
  return outcomes
}

async function refuseReverted(db: Reader, { vault }: Writer, importId: string): Promise<void> {
  if (await isReverted(db, vault, importId))
    throw conflict('This import was reverted, so nothing more is written under its id. Import it again under a new id.')
}

/** Versions are reverted with their note, memory or document. */
const listCreated = (records: readonly CheckedRecord[], outcomes: readonly Outcome[]): ImportedRecord[] =>
  records.flatMap(({ kind }, at) => {
    const outcome = outcomes[at]
    if (outcome?.status !== 'created' && outcome?.status !== 'restored') return []
    if (outcome.recordId === undefined || kind.endsWith('Version')) return []
    return [{ kind, recordId: outcome.recordId, version: outcome.version }]
  })

/** The ids of the records that exist here. */
const placesOf = (places: Places, records: readonly CheckedRecord[]): string[] =>
  records.flatMap((record) => {
    const place = isNode(record) ? places.of(record) : undefined
    return place?.isThere === true ? [place.id] : []
  })

/**
 * The expected outcome of each record. Links to and versions of missing records count as new, and so do folders and settings. Of the other
 * versions that the import will have written by then, only those of the same batch are known.
 */
export async function planBatch(ctx: Writer, { importId, records }: Omit<Batch, 'origin'>): Promise<Outcome[]> {
  await refuseReverted(ctx.db.read, ctx, importId)
  const places = await findPlaces(ctx.db.read, ctx, records, new Map())
  const reverted = await listReverted(ctx.db.read, ctx.vault, placesOf(places, records))
  const links = new Set<string>()
  const versions = new Map<string, KeptVersion[]>()
  const outcomes: Outcome[] = []
  for (const record of records) outcomes.push(await (record.kind === 'link' ? planLink(record) : planOther(record)))
  return outcomes

  async function planOther(record: CheckedRecord): Promise<Outcome> {
    const place = places.of(record)
    if (place?.isThere === true && reverted.delete(place.id))
      return { status: 'restored', recordId: place.id, version: 1 }
    if (place?.isThere === true) return { status: 'existing' }
    if (record.kind === 'document' && (await isSettled(ctx.db.read, ctx.vault, record))) return { status: 'existing' }
    const unwritten = await planVersion(ctx, places, versions, record)
    if (unwritten !== undefined) return unwritten
    return { status: 'created', recordId: place?.id, version: 1 }
  }

  async function planLink({ sourceType, source, targetType, target, relationType, origin }: CheckedOf<'link'>) {
    const [sourceId, targetId] = [places.node(sourceType, source), places.node(targetType, target)]
    const name = [sourceId ?? source, relationType, targetId ?? target].join(' ')
    // The text of the note creates it.
    if (origin === 'wiki' || links.has(name)) return { status: 'existing' } as const
    links.add(name)
    const ends = sourceId !== undefined && targetId !== undefined && { sourceId, targetId, relationType }
    const isThere = ends !== false && (await findLink(ctx.db.read, ctx.vault, ends)) !== undefined
    return isThere
      ? ({ status: 'existing' } as const)
      : ({ status: 'created', recordId: undefined, version: 1 } as const)
  }
}

/** Why an older version won't be written; undefined if it will. Then it counts when later ones of the same record are planned. */
async function planVersion(
  { db, vault }: Writer,
  places: Places,
  planned: Map<string, KeptVersion[]>,
  record: CheckedRecord,
): Promise<Outcome | undefined> {
  if (record.kind === 'documentVersion') {
    const outcome = await planDocumentVersion(db.read, vault, record)
    if (outcome === 'left') return left(noNewerDocument)
    return outcome === 'existing' ? { status: 'existing' } : undefined
  }
  if (record.kind !== 'noteVersion' && record.kind !== 'memoryVersion') return undefined
  const place = await placeVersion(db.read, vault, places, record)
  if (place === undefined) return undefined
  const earlier = planned.get(place.recordId) ?? []
  const refused = refuseVersion({ ...place, kept: [...place.kept, ...earlier] }, nodeOf(record))
  if (refused === undefined) planned.set(place.recordId, [...earlier, place.added])
  return refused
}

/** Embeds and keys new notes and memories; undefined for other records. */
async function prepareAll(
  ctx: Writer,
  places: Places,
  records: readonly CheckedRecord[],
): Promise<(Writing | undefined)[]> {
  const prepared: Promise<Writing | undefined>[] = []
  for (const record of records) {
    const one = isNode(record) ? prepareNode(ctx, places, record) : Promise.resolve(undefined)
    // `Promise.all` below reports a failure; until then it must not count as unhandled.
    one.catch(() => {})
    prepared.push(one)
    // Keying a long text takes a while; other requests run in between.
    if (isNode(record)) await nextTurn()
  }
  return Promise.all(prepared)
}

async function prepareNode(
  ctx: Importing,
  places: Places,
  record: CheckedOf<'note' | 'memory'>,
): Promise<Writing | undefined> {
  const place = places.of(record)
  if (place?.isThere === true) return undefined
  if (place === undefined) throw new TypeError('a note or memory of a batch has no place')
  const { id } = place
  return record.kind === 'note'
    ? prepareNote(ctx, record, id, (ref) => places.node('memory', ref))
    : prepareMemory(ctx, record, id, (kind, ref) => places.node(kind, ref))
}

interface BatchWriting {
  ctx: Writer
  tx: Tx
  seq: number
  importId: string
  /** The ids when the records were prepared, and the ids now. */
  planned: Places
  places: Places
  /** Ids of reverted records. */
  reverted: Set<string>
  /** Ids and keys that this batch has written, since a source may repeat a record. */
  written: Set<string>
}

async function writeOne(batch: BatchWriting, record: CheckedRecord, prepared: Writing | undefined): Promise<Outcome> {
  const { ctx, tx, places } = batch
  switch (record.kind) {
    case 'note':
    case 'memory':
      return writeNode(batch, record, prepared)
    case 'noteVersion':
    case 'memoryVersion':
      return writeVersion(batch, record)
    case 'link':
      return writeLinkBetween(batch, record)
    case 'message': {
      const place = places.of(record)
      if (place === undefined || place.isThere || !isFirst(batch, place.id)) return { status: 'existing' }
      return writeMessage(tx, ctx, { record, messageId: place.id }, (id) => places.message(id))
    }
    case 'document':
      return writeDocument(tx, ctx, record)
    case 'documentVersion':
      return (await writeDocumentVersion(tx, ctx, record)) ?? left(noNewerDocument)
    case 'folder':
      return writeFolder(tx, ctx, record)
    case 'settings':
      return writeSettings(tx, ctx, record)
  }
}

const noNewerDocument = 'the vault has no newer document of that type'

const left = (reason: string): Outcome => ({ status: 'left', reason })

const isFirst = ({ written }: BatchWriting, key: string): boolean => !written.has(key) && written.add(key).has(key)

async function writeNode(
  batch: BatchWriting,
  record: CheckedOf<'note' | 'memory'>,
  prepared: Writing | undefined,
): Promise<Outcome> {
  const { ctx, tx, seq, planned, places, reverted } = batch
  const place = places.of(record)
  if (place?.isThere === true && reverted.delete(place.id)) {
    const version = await restore(tx, ctx.vault, { kind: record.kind, id: place.id }, { seq, at: ctx.now() })
    return { status: 'restored', recordId: place.id, version }
  }
  const isAsPlanned = refsOf(record).every(({ kind, ref }) => planned.node(kind, ref) === places.node(kind, ref))
  // A transaction doesn't wait for a provider; a job adds the vectors later.
  const late = { ...ctx, embeddings: ctx.embeddings && ('later' as const) }
  const writing = isAsPlanned && prepared !== undefined ? prepared : await prepareNode(late, places, record)
  if (writing === undefined || place?.isThere === true) return { status: 'existing' }
  const { recordId, version, reason, write } = writing
  const isNew = isFirst(batch, recordId) && ownKeys(record).every(({ kind, ref }) => isFirst(batch, `${kind} ${ref}`))
  if (!isNew) return { status: 'existing' }
  await write(tx, seq)
  places.kinds.set(recordId, record.kind)
  return { status: 'created', recordId, version, reason }
}

/** Restores a record of a reverted import, and returns its version. */
async function restore(
  tx: Tx,
  vault: VaultScope,
  { kind, id }: { kind: 'note' | 'memory'; id: string },
  { seq, at }: { seq: number; at: number },
): Promise<number> {
  await forgetReverted(tx, vault, id)
  if (kind === 'note') {
    const [note] = await findNotes(tx, vault, [id])
    if (note === undefined) throw new TypeError('a listed note is missing within the transaction')
    return (await restoreTrashed(tx, vault, { seq, at }, note)).version
  }
  const [memory] = await findMemories(tx, vault, [id])
  if (memory === undefined) throw new TypeError('a listed memory is missing within the transaction')
  return (await unarchive(tx, vault, { seq, at }, memory)).version
}

async function writeVersion({ ctx, tx, places }: BatchWriting, record: NodeVersion): Promise<Outcome> {
  const place = await placeVersion(tx, ctx.vault, places, record)
  if (place === undefined) return left(`its ${nodeOf(record)} does not exist here`)
  const refused = refuseVersion(place, nodeOf(record))
  if (refused !== undefined) return refused
  await place.insert(tx)
  return { status: 'created', recordId: place.recordId, version: place.added.version }
}

async function writeLinkBetween(batch: BatchWriting, record: CheckedOf<'link'>): Promise<Outcome> {
  const { ctx, tx, seq, places, importId, written: own } = batch
  const { sourceType, targetType } = record
  const sourceId = places.node(sourceType, record.source)
  const targetId = places.node(targetType, record.target)
  const isThere = (id: string | undefined, type: string) => id !== undefined && places.kinds.get(id) === type
  if (sourceId === undefined || targetId === undefined) return left('one of its ends does not exist here')
  if (!isThere(sourceId, sourceType) || !isThere(targetId, targetType))
    return left('one of its ends does not exist here')
  if (sourceId === targetId) return left('it would link a record to itself')
  const isOwnSource = async () =>
    own.has(sourceId) || (await isImported(tx, ctx.vault, importId, { kind: sourceType, recordId: sourceId }))
  const written: Written | 'unsaid' = await writeLink(
    tx,
    { ...ctx, seq },
    { record, ends: { sourceId, targetId } },
    isOwnSource,
  )
  return written === 'unsaid' ? left('the text of its note leads to another note here') : written
}
