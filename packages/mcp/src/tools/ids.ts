import { ToolProblem } from '../tool-problem.ts'
import type { ToolCall } from '../tool.ts'

/** Ids as in answers, with a prefix for their type (`m:`, `t:`, `n:`, `msg:`). The prefix is optional in arguments. */

const form = /^\[?(?:(m|t|n|msg|memory|task|note|message):)?([0-9a-f-]{36})\]?$/i

export type Kind = 'memory' | 'note' | 'message'

const kinds: Record<string, Kind> = {
  m: 'memory',
  t: 'memory',
  memory: 'memory',
  task: 'memory',
  n: 'note',
  note: 'note',
  msg: 'message',
  message: 'message',
}

export interface ItemId {
  id: string
  /** Undefined if the id has no prefix. */
  kind: Kind | undefined
  /** The prefix in answers. */
  letter: string | undefined
}

export function parseId(text: string, argument = 'id'): ItemId {
  const [, prefix, id] = form.exec(text.trim()) ?? []
  if (id === undefined)
    throw new ToolProblem(
      'VALIDATION',
      `${argument}: must be an id from an answer, such as m:0198c5f0-0000-7000-8000-000000000001, with or without the prefix.`,
    )
  const name = prefix?.toLowerCase()
  const letter = name === 'message' ? 'msg' : name?.length === 3 ? name : name?.slice(0, 1)
  return { id: id.toLowerCase(), kind: name === undefined ? undefined : kinds[name], letter }
}

export const plainId = (text: string | undefined, argument = 'id'): string | undefined =>
  text === undefined ? undefined : parseId(text, argument).id

/** Returns the id and type of a graph node. Looks the type up if the id has no prefix. */
export async function resolveNode(
  text: string,
  argument: string,
  { call }: ToolCall,
): Promise<{ id: string; type: 'note' | 'memory' }> {
  const { id, kind } = parseId(text, argument)
  if (kind === 'message')
    throw new ToolProblem('VALIDATION', `${argument}: messages have no links. Pass a memory, task or note.`)
  if (kind !== undefined) return { id, type: kind }
  const { memories } = await call('read-memories', { memoryIds: [id] })
  return { id, type: memories.length > 0 ? 'memory' : 'note' }
}
