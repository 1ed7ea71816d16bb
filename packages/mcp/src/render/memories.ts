import { printParty, printWriters, writersOf, type Memory } from '@holdfast/client'
import { entryLine, type WholeItem } from './compose.ts'
import { dated, displayName, oneLine } from './one-line.ts'
import { item, type Item } from './recall-fence.ts'

/** A memory from search or reading. A search hit may have no content. */
type Shown = Omit<Memory, 'content'> & { content?: string }

const lineChars = 400

/** `- [m:id] fact i4 2026-10-02 (50d) by claude-code · Auth uses jose (auth, jose)` */
export function memoryLine(memory: Shown, now: number, { isWhole = false }: { isWhole?: boolean } = {}): string {
  const { summary, content = '', entities } = memory
  const text = oneLine(isWhole ? content : (summary ?? content), isWhole ? 8_000 : lineChars)
  return entryLine(
    [
      `[${printId(memory)}]`,
      memory.memoryType,
      `i${memory.importance}`,
      dated(memory.occurredAt, now),
      ...listMarks(memory, now),
      printAuthor(memory),
    ],
    entities.length === 0 ? text : `${text} (${displayName(entities.slice(0, 8).join(', '), 120)})`,
  )
}

/** A memory in full, in parts. */
export const wholeMemory = (memory: Memory, now: number): WholeItem => ({
  id: printId(memory),
  text: memory.content,
  show: (part) => memoryItem(memory, now, part),
})

export function memoryItem(memory: Memory, now: number, content: string): Item {
  const about = {
    id: printId(memory),
    type: memory.memoryType,
    importance: memory.importance,
    written: dated(memory.occurredAt, now),
    ...writers(memory),
    via: getIndirectRoute(memory),
    marks: listMarks(memory, now).join(', '),
    entities: displayName(memory.entities.join(', '), 300),
    notes: memory.sourceNoteIds.map((id) => `n:${id}`).join(' '),
    related: memory.relatedMemories.map(({ memoryId, relationType }) => `${relationType} m:${memoryId}`).join(', '),
  }
  return item(about, content)
}

export const printId = ({ memoryId, memoryType }: Pick<Memory, 'memoryId' | 'memoryType'>) =>
  `${memoryType === 'task' ? 't' : 'm'}:${memoryId}`

/** Lists why the memory is not live. */
function listMarks({ status, supersededById, expiresAt }: Shown, now: number): string[] {
  return [
    ...(status === 'archived' ? ['archived'] : []),
    ...(supersededById === null ? [] : [`superseded by m:${supersededById}`]),
    ...(expiresAt !== null && Date.parse(expiresAt) <= now ? ['expired'] : []),
  ]
}

function printAuthor(memory: Shown): string {
  const via = getIndirectRoute(memory)
  return [printWriters(writersOf(memory)), ...(via === undefined ? [] : [`via ${via}`])]
    .filter((part) => part !== '')
    .join(' ')
}

/** Who shaped a record, as facts of its item. */
export function writers(record: Parameters<typeof writersOf>[0]) {
  const { agentId, keyLabel, trust, changedBy, changedByKeyLabel } = writersOf(record)
  return {
    by: agentId === null ? undefined : printParty(agentId, keyLabel),
    changedBy: changedBy === undefined ? undefined : printParty(changedBy, changedByKeyLabel),
    trust,
  }
}

/** Returns the route if an agent did not write the record directly, such as a summary or an extracted memory. */
const getIndirectRoute = ({ source }: Pick<Shown, 'source'>) =>
  ['write-memory', 'create-task', 'import', 'import-task'].includes(source.route) ? undefined : source.route
