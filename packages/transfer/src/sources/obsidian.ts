import { baseName } from '../paths.ts'
import type { RecordOf } from '../record.ts'
import { listIn, splitFrontMatter, type FrontMatter } from './front-matter.ts'
import { indexNotes, replaceOutsideCode, type MarkdownNote, type NoteIndex } from './note-index.ts'
import { keyOf, timeIn, type Notices, type Reader } from './reading.ts'
import { decode, inTurns, isHidden, readText, type SourceFile } from '../source.ts'

/**
 * A folder of markdown files: each is a note in the folder that it lies in. Tags are taken from front matter and text; front
 * matter that says more than tags and title stays in the text, where nothing of it is lost.
 */

export const obsidian: Reader = {
  name: 'obsidian',
  shape: 'markdown files (`.md`) in a folder or zip file, with or without `.obsidian`',
  recognises: async ({ files }) =>
    files.some(({ path }) => /(^|\/)\.obsidian\//.test(path)) || files.some(({ path }) => isNote(path)),
  async *read({ name, files }, notices) {
    const top = commonTop(files.map(({ path }) => path))
    const notes = files.filter(({ path }) => isNote(path))
    countOthers(files, notices)
    const index = indexNotes(await outlinesOf(notes, top))
    for (const file of notes) {
      const path = file.path.slice(top.length)
      const note = noteOf(path, file, await textOf(file, notices), index, notices)
      if (note !== undefined) yield { ...note, externalWriteId: keyOf('obsidian', `${name}\n${path}`) }
    }
  },
}

export const isNote = (path: string) => /\.md$/i.test(path) && !isHidden(path)

/** A zip of a vault often holds the vault's folder: that is no folder of notes. */
function commonTop(paths: readonly string[]): string {
  const settings = paths.find((path) => /(^|\/)\.obsidian\//.test(path))
  return settings === undefined ? '' : settings.slice(0, settings.indexOf('.obsidian/'))
}

function countOthers(files: readonly SourceFile[], notices: Notices): void {
  for (const { path } of files)
    if (!isHidden(path) && !isNote(path)) notices.add('attachments and other files, which are not imported', path)
}

/** Two passes: links can only be followed once it is known what all notes are called. */
export const outlinesOf = (notes: readonly SourceFile[], top: string): Promise<MarkdownNote[]> =>
  inTurns(notes, async (file) => {
    const path = file.path.slice(top.length)
    const { fields } = splitFrontMatter(await readText(file))
    return {
      path,
      baseName: baseNameOf(path),
      ownTitle: titleIn(fields),
      aliases: listOf(fields.aliases ?? fields.alias),
    }
  })

const baseNameOf = (path: string) => baseName(path).replace(/\.md$/i, '')

const titleIn = ({ title }: Record<string, unknown>): string | undefined =>
  typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined

/** An alias may hold spaces. */
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? listIn(value) : typeof value === 'string' ? value.split(',').map((one) => one.trim()) : []

export async function textOf(file: SourceFile, notices: Notices): Promise<string> {
  const bytes = await file.read()
  const text = decode(bytes)
  if (text.includes('\uFFFD') && !holdsSign(bytes)) notices.add('texts that are not UTF-8 throughout', file.path)
  return text
}

/** Whether the sign for what is no UTF-8 was written there itself. */
function holdsSign(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) return true
  return false
}

export const maxChars = 500_000

export function noteOf(
  path: string,
  { modifiedAt }: SourceFile,
  text: string,
  index: NoteIndex,
  notices: Notices,
): RecordOf<'note'> | undefined {
  const parts = splitFrontMatter(text)
  if (parts.isBroken) notices.add('front matter that is no YAML, kept as text', path)
  // Before anything is looked for in it.
  if (parts.body.length > maxChars) return refuseLong(path, notices)
  const linked = index.rewriteLinks(parts.body, path)
  if (linked.unresolved.length > 0)
    notices.add(
      'links to notes that are not there, kept as they are',
      `${path}: ${linked.unresolved[0] ?? ''}`,
      linked.unresolved.length,
    )
  const content = keptBlock(parts) + linked.text
  if (content.length > maxChars) return refuseLong(path, notices)
  const updatedAt = timeIn(parts.fields.updated) ?? timeIn(parts.fields.modified) ?? new Date(modifiedAt).toISOString()
  return {
    kind: 'note',
    title: index.titleOf(path),
    content,
    tags: tagsOf(parts, path, notices),
    folderPath: folderOf(path, notices),
    createdAt: timeIn(parts.fields.created) ?? timeIn(parts.fields.date) ?? updatedAt,
    updatedAt,
  }
}

export function refuseLong(path: string, notices: Notices): undefined {
  notices.add(`notes of more than ${maxChars} characters, which are not imported`, path)
}

/** The block as it was, where it says more than is taken out of it. */
function keptBlock({ fields, block }: FrontMatter): string {
  const others = Object.keys(fields).filter((name) => !['tags', 'tag', 'title'].includes(name))
  return block === undefined || others.length === 0 ? '' : `---\n${block}\n---\n`
}

const maxTags = 50
const maxTagChars = 100

function tagsOf({ fields, body }: FrontMatter, path: string, notices: Notices): string[] {
  const tags = new Map<string, string>()
  const add = (tag: string) => {
    if (tag.length > 2 * maxTagChars) return
    const name = tag.replace(/^#/, '').replace(/\/+$/, '')
    if (name !== '' && name.length <= maxTagChars && !tags.has(name.toLowerCase())) tags.set(name.toLowerCase(), name)
  }
  for (const tag of [...listIn(fields.tags), ...listIn(fields.tag)]) add(tag)
  // A tag holds a character that is no digit.
  replaceOutsideCode(
    body,
    /(?<![^\s])#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]*[^\P{L}][\p{L}\p{N}\p{M}_/-]*)/gu,
    (match) => {
      add(match[1] ?? '')
      return match[0]
    },
  )
  if (tags.size > maxTags) notices.add(`tags beyond ${maxTags} of one note, left out`, path, tags.size - maxTags)
  return [...tags.values()].slice(0, maxTags)
}

const maxLevels = 20
const maxFolderChars = 200

function folderOf(path: string, notices: Notices): string | undefined {
  const names = path.split('/').slice(0, -1)
  if (names.length === 0) return undefined
  if (names.length > maxLevels) notices.add(`folders deeper than ${maxLevels} levels, put into the last of these`, path)
  return names
    .slice(0, maxLevels)
    .map((name) => name.slice(0, maxFolderChars))
    .join('/')
}
