import { newId } from '../core/ids.ts'
import type { Reader } from '../db/dialect.ts'
import { externalKindOf, type ExternalKind } from '../memories/claim-store.ts'
import { listKinds } from '../vault-index/stored/store.ts'
import { listMemoryLinks } from '@holdfast/transfer/text/wiki-links'
import { findWritten, isId, placeMessages, placeNodes, type Place } from './place-store.ts'
import type { CheckedOf, CheckedRecord } from './record.ts'
import type { Importing } from './write-nodes.ts'

/** The ids that the records of a batch, and the records they name, have or will have here. */
export interface Places {
  of(record: CheckedRecord): Place | undefined
  node(kind: 'note' | 'memory', ref: string): string | undefined
  message(id: string): string | undefined
  /** The kinds of the nodes that links name, by their ids here. */
  kinds: Map<string, string>
}

/** New ids for records without one, the same each time the batch is planned. */
export type FreshIds = ReadonlyMap<CheckedRecord, string>

export const freshIdsOf = (records: readonly CheckedRecord[]): FreshIds =>
  new Map(records.flatMap((record) => (isNode(record) ? [[record, newId()]] : [])))

export const isNode = (record: CheckedRecord): record is CheckedOf<'note' | 'memory'> =>
  record.kind === 'note' || record.kind === 'memory'

export async function findPlaces(
  db: Reader,
  { vault }: Pick<Importing, 'vault'>,
  records: readonly CheckedRecord[],
  freshIds: FreshIds,
): Promise<Places> {
  const refs = records.flatMap(refsOf)
  const nodes = await placeNodes(db, vault, refs.map(({ ref }) => ref).filter(isId))
  const messages = await placeMessages(db, vault, records.flatMap(messageIdsOf))
  const written = new Map<string, string>()
  const keys = [...records.flatMap(ownKeys), ...refs.filter(({ ref }) => !isId(ref)).flatMap(keysOf)]
  for (const [kind, some] of Map.groupBy(keys, (key) => key.kind)) {
    const found = await findWritten(
      db,
      vault,
      kind,
      some.map(({ ref }) => ref),
    )
    for (const [ref, id] of found) written.set(`${kind} ${ref}`, id)
  }
  const of = (record: CheckedRecord): Place | undefined => {
    if (record.kind === 'message') return messages.get(record.id)
    if (!isNode(record)) return undefined
    const fresh = freshIds.get(record)
    const own = record.id === undefined ? undefined : nodes.get(record.id)
    const place = own ?? (fresh === undefined ? undefined : { id: fresh, isThere: false })
    const [key] = ownKeys(record)
    if (place?.isThere === true || key === undefined) return place
    const id = written.get(`${key.kind} ${key.ref}`)
    return id === undefined ? place : { id, isThere: true }
  }
  // Of two records with the same key, the first is written.
  const coming = new Map<string, string>()
  for (const record of records.toReversed())
    for (const { kind, ref } of ownKeys(record)) {
      const place = of(record)
      if (place !== undefined) coming.set(`${kind} ${ref}`, place.id)
    }
  const node = (kind: 'note' | 'memory', ref: string) => {
    if (isId(ref)) return nodes.get(ref)?.id
    const names = keysOf({ kind, ref }).map((key) => `${key.kind} ${key.ref}`)
    return firstOf(names, written) ?? firstOf(names, coming)
  }
  const named = records.flatMap((record) =>
    record.kind === 'link' || record.kind === 'noteVersion' || record.kind === 'memoryVersion' ? refsOf(record) : [],
  )
  const kinds = await listKinds(
    db,
    vault,
    named.flatMap(({ kind, ref }) => node(kind, ref) ?? []),
  )
  return { of, node, message: (id) => messages.get(id)?.id, kinds }
}

const firstOf = (names: readonly string[], ids: ReadonlyMap<string, string>): string | undefined =>
  names.map((name) => ids.get(name)).find((id) => id !== undefined)

interface Ref {
  kind: 'note' | 'memory'
  ref: string
}

/** The nodes that a record names, including itself. */
export function refsOf(record: CheckedRecord): Ref[] {
  if (record.kind === 'link') return endRefs(record)
  if (record.kind === 'noteVersion') return [{ kind: 'note', ref: record.note }, ...memoriesIn(record.content)]
  if (record.kind === 'memoryVersion') return [{ kind: 'memory', ref: record.memory }]
  if (record.kind === 'note')
    return [
      ...(record.id === undefined ? [] : [{ kind: 'note', ref: record.id } as const]),
      ...memoriesIn(record.content),
    ]
  if (record.kind !== 'memory') return []
  const { id, sourceNoteIds = [], supersedesId, supersededById } = record
  const memories = [id, supersedesId, supersededById].filter((ref) => ref !== undefined)
  return [
    ...memories.map((ref) => ({ kind: 'memory', ref }) as const),
    ...sourceNoteIds.map((ref) => ({ kind: 'note', ref }) as const),
  ]
}

const memoriesIn = (text: string): Ref[] => listMemoryLinks(text).map((ref) => ({ kind: 'memory', ref }))

interface Key {
  kind: ExternalKind | 'note'
  ref: string
}

/** Tasks are memories, with separate keys. */
const keysOf = ({ kind, ref }: Ref): Key[] =>
  kind === 'note'
    ? [{ kind, ref }]
    : [
        { kind, ref },
        { kind: 'task', ref },
      ]

/** The idempotency key of a record, and the kind of records among which it is unique. */
export function ownKeys(record: CheckedRecord): Key[] {
  if (!isNode(record)) return []
  if (record.externalWriteId === undefined) return []
  return [{ kind: record.kind === 'note' ? 'note' : externalKindOf(record), ref: record.externalWriteId }]
}

const endRefs = ({ sourceType, source, targetType, target }: CheckedOf<'link'>): Ref[] => [
  { kind: sourceType, ref: source },
  { kind: targetType, ref: target },
]

const messageIdsOf = (record: CheckedRecord): string[] =>
  record.kind === 'message'
    ? [record.id, record.threadId, ...(record.parentMessageId === undefined ? [] : [record.parentMessageId])]
    : []
