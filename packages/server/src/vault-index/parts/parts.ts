import { Adjacency } from './adjacency.ts'
import type { IndexColumns } from '../stored/snapshot.ts'
import { FactColumns, TitleFields } from './slot-columns.ts'
import type { Pieces } from '../../core/in-pieces.ts'
import { NameIndex } from './names.ts'
import { RunOrder } from './runs.ts'
import { TagTable } from './tag-table.ts'
import { VectorBlock } from './vectors.ts'
import { WordIndex } from './words.ts'

/** Everything in a vault index. Slots are states of items, nodes are permanent numbers of ids: see vault-index.ts. */
export interface IndexParts {
  nodes: TagTable
  /** The node of each slot. */
  slotNodes: Uint32Array
  facts: FactColumns
  words: WordIndex
  names: NameIndex
  titles: TitleFields
  /** The tag of each slot's exact text, two words per slot; zeros if it has none. */
  textTags: Uint32Array
  runs: RunOrder
  /** Numbers of entity tags, and those of each slot: `entityEnds[slot]` is the end of its part of `entityNumbers`. */
  entities: TagTable
  entityNumbers: Uint32Array
  entityEnds: Uint32Array
  vectors: VectorBlock[]
  links: Adjacency
  relationNames: string[]
}

export function emptyParts(): IndexParts {
  const facts = new FactColumns()
  return {
    nodes: new TagTable(4),
    slotNodes: new Uint32Array(0),
    facts,
    words: new WordIndex(),
    names: new NameIndex(),
    titles: new TitleFields(),
    textTags: new Uint32Array(0),
    runs: new RunOrder(facts.isTurn),
    entities: new TagTable(2),
    entityNumbers: new Uint32Array(0),
    entityEnds: new Uint32Array(0),
    vectors: [],
    links: new Adjacency(),
    relationNames: [],
  }
}

export function wipeParts(parts: IndexParts): void {
  const { nodes, facts, words, names, titles, runs, entities, links, vectors } = parts
  for (const part of [nodes, facts, words, names, titles, runs, entities, links, ...vectors]) part.wipe()
  for (const column of [parts.slotNodes, parts.entityNumbers, parts.entityEnds, parts.textTags]) column.fill(0)
}

/** Builds the parts from these columns and takes them over. All slots are live. */
export function* buildParts(columns: IndexColumns): Pieces<IndexParts> {
  const { slotNodes, textTags, entityNumbers, entityEnds } = columns
  const nodes = yield* TagTable.of(4, columns.nodeKeys)
  const words = yield* WordIndex.of(columns.words)
  const names = yield* NameIndex.of(columns.names)
  const facts = new FactColumns(columns.facts, columns.kinds, columns.types)
  const runs = new RunOrder(facts.isTurn, columns)
  yield
  const entities = yield* TagTable.of(2, columns.entityKeys)
  const links = yield* buildLinks(columns.links)
  const vectors: VectorBlock[] = []
  for (const each of columns.vectors) vectors.push(yield* VectorBlock.of(each))
  return {
    nodes,
    slotNodes,
    facts,
    words,
    names,
    titles: new TitleFields(columns.titles),
    textTags,
    runs,
    entities,
    entityNumbers,
    entityEnds,
    vectors,
    links,
    relationNames: columns.relations,
  }
}

function* buildLinks(triples: Uint32Array): Pieces<Adjacency> {
  const links = new Adjacency()
  for (let at = 0; at < triples.length; at += 3) {
    if (at % 6144 === 0) yield
    links.add(triples[at] as number, triples[at + 1] as number, triples[at + 2] as number)
  }
  return links
}
