import { invalid } from '../core/errors.ts'
import { countWords } from '../text/count-words.ts'
import { findOccurrences } from '../text/occurrences.ts'
import { previewOf } from '../text/preview.ts'
import { maxContentLength, type Note } from './note.ts'

export interface Edit {
  find: string
  replace: string
}

/** What an update may say of a note; what is left out stays as it is. */
export interface NoteChange {
  title?: string | undefined
  content?: string | undefined
  mode: 'replace' | 'append' | 'prepend'
  edits?: readonly Edit[] | undefined
  tags?: string[] | undefined
  trashed?: false | undefined
}

/** The note as the change leaves it, one version on; the sealed cells get a revision only where they differ. */
export function changeNote(before: Note, change: NoteChange, at: number): Note {
  return reviseNote(before, {
    title: change.title ?? before.head.title,
    content: changedContent(before.content, change),
    tags: change.tags ?? before.head.tags,
    trashedAt: change.trashed === false ? undefined : before.trashedAt,
    at,
  })
}

/** The same with all that may change already said. */
export function reviseNote(
  before: Note,
  {
    title,
    content,
    tags,
    trashedAt,
    at,
  }: { title: string; content: string; tags: string[]; trashedAt: number | undefined; at: number },
): Note {
  const after = { ...before, trashedAt, version: before.version + 1, updatedAt: at }
  if (isEqual([title, tags, content], [before.head.title, before.head.tags, before.content])) return after
  return {
    ...after,
    content,
    contentRevision: before.contentRevision + 1,
    wordCount: countWords(content),
    head: { ...before.head, title, tags, preview: previewOf(content) },
  }
}

export const isUnchanged = (before: Note, after: Note): boolean =>
  before.contentRevision === after.contentRevision && before.trashedAt === after.trashedAt

function changedContent(before: string, { content, mode, edits }: NoteChange): string {
  if (edits !== undefined) return edited(before, edits)
  if (content === undefined) return before
  return within(mode === 'replace' ? content : mode === 'append' ? before + content : content + before, 'content')
}

/** One edit after the other, each in the text that those before it have left. */
function edited(before: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { find, replace }, at) => {
    const places = findOccurrences(text, find)
    const [place] = places
    if (place === undefined || places.length > 1)
      throw invalid({ [`edits.${at}.find`]: `occurs ${times(places.length)} in the note, must occur exactly once` })
    return within(text.slice(0, place) + replace + text.slice(place + find.length), `edits.${at}.replace`)
  }, before)
}

const times = (count: number) => (count === 1 ? '1 time' : `${count} times`)

function within(content: string, field: string): string {
  if (content.length > maxContentLength)
    throw invalid({ [field]: `a note has at most ${maxContentLength} characters; this would make ${content.length}` })
  return content
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
