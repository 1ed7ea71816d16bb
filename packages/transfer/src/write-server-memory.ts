import type { Kind, RecordOf, TransferRecord } from './record.ts'

/**
 * The memories of a vault as the MCP reference server keeps them: an entity for each name that memories are about, with their
 * contents as observations, and a relation where such memories are linked. All else has no place there. Grouping them takes
 * all texts at once, as that server does.
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
  return { bytes: linesOf(options, counts.resolve), counts: counts.promise }
}

async function* linesOf(
  { records, onProgress }: Options,
  tell: (counts: Record<string, number>) => void,
): AsyncGenerator<Uint8Array> {
  const entities = new Map<string, Entity>()
  const nameOf = new Map<string, string>()
  let done = 0
  for await (const record of records('memory')) {
    onProgress(++done)
    if (record.kind !== 'memory' || !isLive(record)) continue
    const name = addTo(entities, record)
    if (record.id !== undefined) nameOf.set(record.id, name)
  }
  for (const entity of entities.values()) yield line({ type: 'entity', ...entity })
  const relations = new Set<string>()
  for await (const record of records('link')) {
    if (record.kind !== 'link') continue
    const [from, to] = [nameOf.get(record.source), nameOf.get(record.target)]
    if (from === undefined || to === undefined || from === to) continue
    const relation = JSON.stringify({ type: 'relation', from, to, relationType: record.label ?? record.relationType })
    if (relations.has(relation)) continue
    relations.add(relation)
    yield encoder.encode(`${relation}\n`)
  }
  tell({ entities: entities.size, observations: nameOf.size, relations: relations.size })
}

const isLive = ({ archivedAt, supersededById, expiresAt }: RecordOf<'memory'>): boolean =>
  archivedAt === undefined &&
  supersededById === undefined &&
  (expiresAt === undefined || Date.parse(expiresAt) > Date.now())

/** The first name that it is about; its kind where it is about none. */
function addTo(entities: Map<string, Entity>, record: RecordOf<'memory'>): string {
  const { content, memoryType = 'fact', metadata = {} } = record
  const name = record.entities?.[0] ?? memoryType
  const entityType = typeof metadata.entityType === 'string' ? metadata.entityType : memoryType
  const entity = entities.get(name) ?? { name, entityType, observations: [] }
  if (!entity.observations.includes(content)) entity.observations.push(content)
  entities.set(name, entity)
  return name
}

const encoder = new TextEncoder()

const line = (value: object): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`)
