import { withoutHalfPair } from '../text/tokenize.ts'
import type { Memory } from './memory.ts'

const maxTitleLength = 200

/** What a memory is called where there is room for a line: its summary, or else its content, up to the first line's end. */
export function titleOf({ content, head }: Pick<Memory, 'content' | 'head'>): string {
  const [line = ''] = (head.summary ?? content).trimStart().split(/[\r\n]/, 1)
  const plain = line.trimEnd()
  if (plain.length <= maxTitleLength) return plain
  return `${withoutHalfPair(plain.slice(0, maxTitleLength - 1))}…`
}

/** Neither archived, nor expired, nor superseded: what search finds. */
export const isLive = ({ archivedAt, supersededById, expiresAt = Infinity }: Memory, now: number): boolean =>
  archivedAt === undefined && supersededById === undefined && expiresAt > now
