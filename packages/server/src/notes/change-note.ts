import { invalid } from '../core/errors.ts'
import { countWords } from '../text/tokenize.ts'
import { findOccurrences } from '../text/find-in-text.ts'
import { previewOfNote } from '../text/excerpts.ts'
import { lowestTrust, shapedBy, type Trust, type Writer } from '../operation/writer.ts'
import { maxContentLength, type Note, type NoteHead } from './note.ts'

interface Edit {
  find: string
  replace: string
}

/** The changes of an update; omitted fields stay unchanged. */
export interface NoteChange {
  title?: string | undefined
  content?: string | undefined
  mode: 'replace' | 'append' | 'prepend'
  edits?: readonly Edit[] | undefined
  tags?: string[] | undefined
  trashed?: false | undefined
  /** False: with a new title, links by the old title stay unchanged and no longer lead to the note. */
  rewriteLinks?: boolean | undefined
  /** With a former text: its trust, which replaces that of the current one. */
  formerTrust?: Trust | undefined
}

/** Who changes a note. */
export interface Change {
  writer: Writer
  trust: Trust
}

/** Called between long pieces of work, so that other requests get their turn; does nothing in a transaction. */
export type Pause = () => Promise<unknown>

/** The changed note as the next version. The content revision increases only if title, tags or content differ. */
export async function changeNote(
  before: Note,
  change: NoteChange,
  { writer, trust }: Change,
  pause: Pause,
): Promise<Note> {
  const { head } = before
  const { formerTrust = head.trust } = change
  return reviseNote(before, {
    title: change.title ?? head.title,
    content: await changedContent(before.content, change, pause),
    tags: change.tags ?? head.tags,
    trashedAt: change.trashed === false ? undefined : before.trashedAt,
    at: writer.at,
    shapers: shapedBy({ ...head, trust: formerTrust }, writer, trust),
  })
}

/** The final values of a note. */
interface Revision {
  title: string
  content: string
  tags: string[]
  trashedAt: number | undefined
  at: number
  /** Undefined if the change is not a new text of someone, such as a link that follows a title. */
  shapers?: Pick<NoteHead, 'changedBy' | 'hasOtherWriters' | 'trust'>
}

/** The same with final values. */
export function reviseNote(before: Note, { title, content, tags, trashedAt, at, shapers }: Revision): Note {
  const after = { ...before, trashedAt, version: before.version + 1, updatedAt: at }
  const isSame = isEqual([title, tags, content], [before.head.title, before.head.tags, before.content])
  // Restoring a former text that someone else has brought back word for word still restores its trust.
  const regainsTrust = shapers !== undefined && lowestTrust(shapers.trust, before.head.trust) !== shapers.trust
  if (isSame && !regainsTrust) return after
  return {
    ...after,
    content,
    contentRevision: before.contentRevision + 1,
    wordCount: countWords(content),
    head: { ...before.head, ...shapers, title, tags, preview: previewOfNote(content) },
  }
}

export const isUnchanged = (before: Note, after: Note): boolean =>
  before.contentRevision === after.contentRevision && before.trashedAt === after.trashedAt

async function changedContent(before: string, { content, mode, edits }: NoteChange, pause: Pause): Promise<string> {
  if (edits !== undefined) return edited(before, edits, pause)
  if (content === undefined) return before
  return within(mode === 'replace' ? content : mode === 'append' ? before + content : content + before, 'content')
}

/** The limit for all edits together: about 20 ms per million, and again in the transaction if the note has changed. */
const maxScannedCharacters = 5_000_000

/** Applies the edits in order, each to the result of the one before. */
async function edited(before: string, edits: readonly Edit[], pause: Pause): Promise<string> {
  let text = before
  let scanned = 0
  for (const [at, { find, replace }] of edits.entries()) {
    scanned += text.length + find.length
    if (scanned > maxScannedCharacters)
      throw invalid({
        edits: `too many for a note of this length: together they would search more than ${maxScannedCharacters} characters`,
      })
    const places = findOccurrences(text, find)
    const [place] = places
    if (place === undefined || places.length > 1)
      throw invalid({ [`edits.${at}.find`]: `occurs ${times(places.length)} in the note, but must occur exactly once` })
    text = within(text.slice(0, place) + replace + text.slice(place + find.length), `edits.${at}.replace`)
    await pause()
  }
  return text
}

const times = (count: number) => (count === 1 ? '1 time' : `${count} times`)

function within(content: string, field: string): string {
  if (content.length > maxContentLength)
    throw invalid({
      [field]: `a note can have at most ${maxContentLength} characters; this would make ${content.length}`,
    })
  return content
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
