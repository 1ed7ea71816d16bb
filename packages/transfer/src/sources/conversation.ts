import type { RecordOf } from '../record.ts'
import { makeWriteId, type Notices } from './reading.ts'

/** A conversation as a note: who said what, in order. */

export interface Conversation {
  id: string
  title: string
  createdAt: string | undefined
  updatedAt: string | undefined
  turns: { who: string; text: string }[]
}

const maxChars = 500_000
const maxTitleChars = 480

/** Splits a conversation that is too long for one note. Skips a turn that is too long by itself, with a notice. */
export function* toNotes(
  source: string,
  folderPath: string,
  { id, title, createdAt, updatedAt, turns }: Conversation,
  notices: Notices,
): Generator<RecordOf<'note'>> {
  const parts: string[] = []
  for (const { who, text } of turns) {
    const said = `## ${who}\n\n${text.trim()}\n`
    if (said.length > maxChars) {
      notices.add(`turns of more than ${maxChars} characters, not imported`, title)
      continue
    }
    const last = parts.at(-1)
    if (last === undefined || last.length + said.length + 1 > maxChars) parts.push(said)
    else parts[parts.length - 1] = `${last}\n${said}`
  }
  if (parts.length === 0) notices.add('empty conversations, skipped', title)
  for (const [at, content] of parts.entries())
    yield {
      kind: 'note',
      externalWriteId: makeWriteId(source, at === 0 ? id : `${id} ${at + 1}`),
      title: title.slice(0, maxTitleChars) + (at === 0 ? '' : ` (${at + 1})`),
      content,
      tags: [source],
      folderPath,
      createdAt,
      updatedAt: updatedAt ?? createdAt,
    }
}
