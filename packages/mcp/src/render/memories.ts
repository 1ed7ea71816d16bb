import type { Memory } from '@holdfast/client'
import { entryLine, type WholeItem } from './compose.ts'
import { dated, oneLine } from './one-line.ts'
import { item } from './recall-fence.ts'

/** A memory as search and reading tell it; a hit may lack its content. */
type Told = Omit<Memory, 'content'> & { content?: string }

const lineChars = 400

/** `- [m:id] fact i4 2026-10-02 (50d) by claude-code · Auth uses jose (auth, jose)` */
export function memoryLine(memory: Told, now: number, { isWhole = false }: { isWhole?: boolean } = {}): string {
  const { summary, content = '', entities } = memory
  const text = oneLine(isWhole ? content : (summary ?? content), isWhole ? 8_000 : lineChars)
  return entryLine(
    [
      `[${idOf(memory)}]`,
      memory.memoryType,
      `i${memory.importance}`,
      dated(memory.occurredAt, now),
      ...marksOf(memory, now),
      authorOf(memory),
    ],
    entities.length === 0 ? text : `${text} (${oneLine(entities.slice(0, 8).join(', '), 120)})`,
  )
}

/** All of it, part by part. */
export const wholeMemory = (memory: Memory, now: number): WholeItem => ({
  id: idOf(memory),
  text: memory.content,
  show: (part) => memoryItem(memory, now, part),
})

export function memoryItem(memory: Memory, now: number, content: string): string {
  const about = {
    id: idOf(memory),
    type: memory.memoryType,
    importance: memory.importance,
    written: dated(memory.occurredAt, now),
    by: memory.agentId ?? undefined,
    via: viaOf(memory),
    marks: marksOf(memory, now).join(', '),
    entities: memory.entities.join(', '),
    notes: memory.sourceNoteIds.map((id) => `n:${id}`).join(' '),
    related: memory.relatedMemories.map(({ memoryId, relationType }) => `${relationType} m:${memoryId}`).join(', '),
  }
  return item(about, content)
}

export const idOf = ({ memoryId, memoryType }: Pick<Memory, 'memoryId' | 'memoryType'>) =>
  `${memoryType === 'task' ? 't' : 'm'}:${memoryId}`

/** Why it is not what counts now. */
function marksOf({ status, supersededById, expiresAt }: Told, now: number): string[] {
  return [
    ...(status === 'archived' ? ['archived'] : []),
    ...(supersededById === null ? [] : [`superseded by m:${supersededById}`]),
    ...(expiresAt !== null && Date.parse(expiresAt) <= now ? ['expired'] : []),
  ]
}

function authorOf({ agentId, source }: Told): string {
  const via = viaOf({ source })
  return [
    ...(agentId === null ? [] : [`by ${oneLine(agentId, 60)}`]),
    ...(via === undefined ? [] : [`via ${via}`]),
  ].join(' ')
}

/** What an agent did not write as a memory or task itself: a summary, or what was found in a conversation. */
const viaOf = ({ source }: Pick<Told, 'source'>) =>
  ['write-memory', 'create-task'].includes(source.route) ? undefined : source.route
