import { nameWriters, type Note } from '@holdfast/client'
import { entryLine, type WholeItem } from './compose.ts'
import { clip, dated, displayName, oneLine } from './one-line.ts'
import { item, type Item } from './recall-fence.ts'

type Shown = Omit<Note, 'content'>

/** `- [n:id] note 2026-10-02 (50d) by the person, changed by codex · Deploying (Projects/Holdfast) #operations: Back up first …` */
export function noteLine(note: Shown, now: number, excerpt: string): string {
  const place = note.folderPath === null ? '' : ` (${displayName(note.folderPath, 120)})`
  const tags = note.tags.map((tag) => ` #${displayName(tag, 40)}`).join('')
  const mark = note.status === 'trashed' ? 'trashed' : undefined
  const text = excerpt === '' ? '' : `: ${oneLine(excerpt)}`
  return entryLine(
    [`[n:${note.noteId}]`, 'note', dated(note.updatedAt, now), mark, `by ${noteWriters(note)}`],
    `${oneLine(note.title, 200)}${place}${tags}${text}`,
  )
}

/** Who shaped the note, as in `nameWriters`. */
export const noteWriters = ({ agentId, source, changedBy }: Pick<Note, 'agentId' | 'source' | 'changedBy'>): string =>
  nameWriters({ agentId, ...source, changedBy })

/** A note in full, in parts. */
export const wholeNote = (note: Note, now: number): WholeItem => ({
  id: `n:${note.noteId}`,
  text: note.content,
  show: (part) => noteItem(note, now, part),
})

export const noteItem = (note: Shown, now: number, content: string): Item =>
  item(
    {
      id: `n:${note.noteId}`,
      type: 'note',
      by: noteWriters(note),
      title: note.title,
      folder: note.folderPath === null ? undefined : displayName(note.folderPath, 300),
      tags: displayName(note.tags.join(', '), 300),
      changed: dated(note.updatedAt, now),
      marks: note.status === 'trashed' ? 'trashed' : undefined,
      version: note.version,
    },
    content,
  )

const excerptChars = 240
const leadChars = 60

/** Returns the part of a text with most of the query's words, or its start. */
export function findExcerpt(content: string, query: string): string {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))].slice(0, 12)
  const text = content.toLowerCase()
  const places = words.flatMap((word) => findPlaces(text, word)).toSorted((a, b) => a - b)
  let best = { at: 0, found: 0 }
  for (const at of places) {
    const found = countWords(text.slice(at, at + excerptChars - leadChars), words)
    if (found > best.found) best = { at, found }
  }
  const from = best.at <= leadChars ? 0 : content.indexOf(' ', best.at - leadChars) + 1
  return `${from > 0 ? '…' : ''}${clip(content.slice(from), excerptChars * 2)}`
}

const countWords = (text: string, words: readonly string[]) => words.filter((word) => text.includes(word)).length

/** Limits the work for texts that repeat a word thousands of times. */
const maxPlaces = 50

function findPlaces(text: string, word: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); at >= 0 && places.length < maxPlaces; at = text.indexOf(word, at + word.length))
    places.push(at)
  return places
}
