import type { RecordOf, TransferRecord } from '../record.ts'
import { isObject, jsonFiles, parseObject, textIn, type Item } from './json-file.ts'
import { filterFiles, makeWriteId, maxContentChars, timeIn, type Notices, type Reader } from './reading.ts'
import { linesIn, type SourceFile } from '../source.ts'

/**
 * The knowledge graph of the MCP reference server: entities with observations, and relations between entities. Each observation
 * becomes a memory about its entity. Links use the first memory of an entity, or a memory with its name if it has none.
 */

export const serverMemory: Reader = {
  name: 'server-memory',
  shape:
    'JSON lines, each with `"type":"entity"` or `"type":"relation"`, or one object with `entities` and `relations`',
  claim: (source) => filterFiles(jsonFiles(source), hasGraph),
  async *read(source, notices) {
    const graph = await readGraph(jsonFiles(source), notices)
    for (const entity of graph.entities.values()) yield* toMemories(entity, notices)
    for (const relation of graph.relations) yield toLink(relation)
  },
}

async function hasGraph(file: SourceFile): Promise<boolean> {
  for await (const item of itemsIn(file, () => {})) if (isEntity(item) || isRelation(item)) return true
  return false
}

interface Entity {
  name: string
  type: string
  observations: { text: string; at: string | undefined }[]
}

interface Relation {
  from: string
  to: string
  label: string
  anchors: Map<string, string>
}

/** Reads the graph into memory, like that server. */
async function readGraph(files: readonly SourceFile[], notices: Notices) {
  const entities = new Map<string, Entity>()
  const relations = new Map<string, Omit<Relation, 'anchors'>>()
  for (const file of files)
    for await (const item of itemsIn(file, (where) => notices.add('damaged lines, skipped', `${file.path}: ${where}`)))
      if (isEntity(item)) addEntity(entities, item)
      else if (isRelation(item)) addRelation(relations, toRelation(item))
      else notices.add('lines that are neither entity nor relation, skipped', textIn(item.type) ?? file.path)
  for (const { from, to } of relations.values())
    for (const name of [from, to])
      if (!entities.has(name)) {
        notices.add('entities that occur only in relations', name)
        entities.set(name, { name, type: '', observations: [] })
      }
  const anchors = new Map([...entities.values()].map((entity) => [entity.name, anchorKey(entity)]))
  return { entities, relations: [...relations.values()].map((relation) => ({ ...relation, anchors })) }
}

/** Reads as many objects as possible, even if two writers have mixed their lines. */
async function* itemsIn(file: SourceFile, damaged: (where: string) => void): AsyncGenerator<Item> {
  let number = 0
  const lines: string[] = []
  for await (const line of linesIn(file)) {
    number++
    if (line.trim() === '') continue
    const parsed = objectsIn(line)
    if (parsed !== undefined) yield* parsed.flatMap(listItems)
    else if (number === 1 || lines.length > 0) lines.push(line)
    else damaged(`line ${number}`)
  }
  if (lines.length === 0) return
  // One object on several lines.
  const whole = objectsIn(lines.join('\n'))
  if (whole !== undefined) yield* whole.flatMap(listItems)
  else for (const line of lines) damaged(line.slice(0, 20))
}

function objectsIn(text: string): Item[] | undefined {
  const whole = parseObject(text)
  if (whole !== undefined) return [whole]
  const parts = text.split(/(?<=\})(?=\{"type")/).map(parseObject)
  return parts.length > 1 && parts.every((part) => part !== undefined) ? parts : undefined
}

/** Accepts the answer of `read_graph`, which is one object with both lists. */
function listItems(item: Item): Item[] {
  if (!Array.isArray(item.entities) && !Array.isArray(item.relations)) return [item]
  const list = (value: unknown, type: string): Item[] =>
    Array.isArray(value) ? value.filter(isObject).map((one) => ({ ...one, type })) : []
  return [...list(item.entities, 'entity'), ...list(item.relations, 'relation')]
}

const nameOf = (item: Item) => textIn(item.name) ?? textIn(item.entityName)
const isEntity = (item: Item) => item.type === 'entity' && nameOf(item) !== undefined
const isRelation = (item: Item) =>
  item.type === 'relation' && getEnd(item, 'from', 'source') !== undefined && getEnd(item, 'to', 'target') !== undefined

const getEnd = (item: Item, ...names: string[]) =>
  names.map((name) => textIn(item[name])).find((one) => one !== undefined)

function addEntity(entities: Map<string, Entity>, item: Item): void {
  const name = nameOf(item) ?? ''
  const entity = entities.get(name) ?? { name, type: textIn(item.entityType) ?? '', observations: [] }
  const listed = item.observations ?? item.contents
  for (const one of Array.isArray(listed) ? listed : [listed]) {
    const text = textIn(one) ?? (isObject(one) ? (textIn(one.content) ?? textIn(one.text)) : undefined)
    if (text === undefined || entity.observations.some((known) => known.text === text)) continue
    entity.observations.push({ text, at: isObject(one) ? timeIn(one.createdAt ?? one.timestamp) : undefined })
  }
  entities.set(name, entity)
}

const toRelation = (item: Item) => ({
  from: getEnd(item, 'from', 'source') ?? '',
  to: getEnd(item, 'to', 'target') ?? '',
  label: (textIn(item.relationType) ?? textIn(item.relation) ?? '').slice(0, maxLabelChars),
})

/** Combines all relations between two entities into one link, whose label names them all. */
function addRelation(relations: Map<string, Omit<Relation, 'anchors'>>, relation: Omit<Relation, 'anchors'>): void {
  const key = JSON.stringify([relation.from, relation.to])
  const known = relations.get(key)
  const labels = known?.label.split('; ') ?? []
  if (known === undefined) relations.set(key, relation)
  else if (!labels.includes(relation.label))
    relations.set(key, { ...relation, label: [...labels, relation.label].join('; ').slice(0, maxLabelChars) })
}

const maxLabelChars = 500

const observationKey = ({ name }: Entity, text: string) => makeWriteId('server-memory', `${name}\n${text}`)
const entityKey = ({ name }: Pick<Entity, 'name'>) => makeWriteId('server-memory', name)

/** The text of the memory that stands for an entity without observations. */
const nameAndType = ({ name, type }: Pick<Entity, 'name' | 'type'>) => (type === '' ? name : `${name} (${type})`)

/** Whether a memory stands for an entity without observations, and nobody has changed it since. */
export const isEmptyEntity = (
  { externalWriteId, content }: Pick<RecordOf<'memory'>, 'externalWriteId' | 'content'>,
  entity: Pick<Entity, 'name' | 'type'>,
): boolean => externalWriteId === entityKey(entity) && content === nameAndType(entity)
const anchorKey = (entity: Entity) => {
  const [first] = entity.observations
  return first === undefined ? entityKey(entity) : observationKey(entity, first.text)
}

const maxEntityChars = 200

function* toMemories(entity: Entity, notices: Notices): Generator<TransferRecord> {
  const { name, type, observations } = entity
  const said = observations.length > 0 ? observations : [{ text: nameAndType(entity), at: undefined }]
  for (const { text, at } of said) {
    if (text.length > maxContentChars) {
      notices.add(`observations of more than ${maxContentChars} characters, not imported`, name)
      continue
    }
    yield {
      kind: 'memory',
      externalWriteId: observations.length > 0 ? observationKey(entity, text) : entityKey(entity),
      content: text,
      memoryType: 'fact',
      entities: [name.slice(0, maxEntityChars)],
      metadata: { entityName: name, ...(type !== '' && { entityType: type }) },
      createdAt: at,
    }
  }
}

const toLink = ({ from, to, label, anchors }: Relation): TransferRecord => ({
  kind: 'link',
  sourceType: 'memory',
  source: anchors.get(from) ?? from,
  targetType: 'memory',
  target: anchors.get(to) ?? to,
  relationType: 'references',
  label: label || undefined,
  origin: 'dashboard',
})
