import type { Kind, RecordOf, TransferRecord } from './record.ts'
import { isEmptyEntity } from './sources/server-memory.ts'

/**
 * Writes memories in the format of the MCP reference server: an entity for each name, with the memories as observations, and a
 * relation for each link. The format has no place for anything else. Grouping needs all texts in memory, like that server.
 */

interface Options {
  records(kind: Kind): AsyncGenerator<TransferRecord>
  onProgress(done: number): void
}

interface Entity {
  name: string
  entityType: string
  observations: string[]
}

export function writeServerMemory(options: Options): {
  bytes: AsyncIterable<Uint8Array>
  counts: Promise<Record<string, number>>
} {
  const counts = Promise.withResolvers<Record<string, number>>()
  return { bytes: readLines(options, counts.resolve), counts: counts.promise }
}

async function* readLines(
  { records, onProgress }: Options,
  report: (counts: Record<string, number>) => void,
): AsyncGenerator<Uint8Array> {
  const entities = new Map<string, Entity>()
  const entityNames = new Map<string, string>()
  let done = 0
  for await (const record of records('memory')) {
    onProgress(++done)
    if (record.kind !== 'memory' || !isLive(record)) continue
    const name = addObservation(entities, record)
    if (record.id !== undefined) entityNames.set(record.id, name)
  }
  for (const entity of entities.values()) yield line({ type: 'entity', ...entity })
  const relations = new Set<string>()
  for await (const record of records('link')) {
    if (record.kind !== 'link') continue
    const [from, to] = [entityNames.get(record.source), entityNames.get(record.target)]
    if (from === undefined || to === undefined || from === to) continue
    const relation = JSON.stringify({ type: 'relation', from, to, relationType: record.label ?? record.relationType })
    if (relations.has(relation)) continue
    relations.add(relation)
    yield encoder.encode(`${relation}\n`)
  }
  report({ entities: entities.size, observations: entityNames.size, relations: relations.size })
}

const isLive = ({ archivedAt, supersededById, expiresAt }: RecordOf<'memory'>): boolean =>
  archivedAt === undefined &&
  supersededById === undefined &&
  (expiresAt === undefined || Date.parse(expiresAt) > Date.now())

/** Adds a memory to its first entity, or to one named after its type. */
function addObservation(entities: Map<string, Entity>, record: RecordOf<'memory'>): string {
  const { content, memoryType = 'fact', metadata = {} } = record
  const name = record.entities?.[0] ?? memoryType
  const type = typeof metadata.entityType === 'string' ? metadata.entityType : undefined
  const entity = entities.get(name) ?? { name, entityType: type ?? memoryType, observations: [] }
  const isEmpty = isEmptyEntity(record, { name, type: type ?? '' })
  if (!isEmpty && !entity.observations.includes(content)) entity.observations.push(content)
  entities.set(name, entity)
  return name
}

const encoder = new TextEncoder()

const line = (value: object): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`)
