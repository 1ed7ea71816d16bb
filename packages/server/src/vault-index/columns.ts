import type { FactArrays } from './facts.ts'
import type { NameArrays } from './names.ts'
import type { TitleColumns } from './title-fields.ts'
import type { VectorColumns } from './vectors.ts'
import type { WordArrays } from './words.ts'

/**
 * An index as plain arrays, live items only, as a snapshot keeps it. Hash tables and postings are left out: building them
 * anew is quicker than reading them. `entityEnds`, `words.ends` and the like close an item's part of the column beside them.
 */
export interface IndexColumns {
  /** The change number as of which they hold. */
  seq: number
  nodeKeys: Uint32Array
  slotNodes: Uint32Array
  facts: FactArrays
  kinds: string[]
  types: string[]
  words: WordArrays
  names: NameArrays
  titles: TitleColumns
  textTags: Uint32Array
  runKeys: Uint32Array
  runOf: Int32Array
  inRuns: Uint32Array
  entityKeys: Uint32Array
  entityNumbers: Uint32Array
  entityEnds: Uint32Array
  /** (source, target, relation), oldest first. */
  links: Uint32Array
  relations: string[]
  vectors: VectorColumns[]
}

export type Column = Uint8Array | Int8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array

/** In the order in which a snapshot holds them. */
export function columnsOf(columns: IndexColumns): Column[] {
  const { facts, words, names, titles } = columns
  return [
    columns.nodeKeys,
    columns.slotNodes,
    facts.kinds,
    facts.types,
    facts.importances,
    facts.archived,
    facts.createdAt,
    facts.occurredAt,
    facts.expiresAt,
    facts.supersededAt,
    words.termKeys,
    words.sequence,
    words.ends,
    words.headerLengths,
    words.speakerLengths,
    names.terms,
    names.ends,
    names.useLists,
    names.useSlots,
    titles.slots,
    titles.tagWords,
    titles.titleWords,
    columns.textTags,
    columns.runKeys,
    columns.runOf,
    columns.inRuns,
    columns.entityKeys,
    columns.entityNumbers,
    columns.entityEnds,
    columns.links,
    ...columns.vectors.flatMap(({ rowSlots, scales, rows }) => [rowSlots, scales, rows]),
  ]
}

/** Fills them with zeros. */
export function wipeColumns(columns: IndexColumns): void {
  for (const column of columnsOf(columns)) column.fill(0)
}
