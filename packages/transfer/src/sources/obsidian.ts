import { baseName } from '../paths.ts'
import type { RecordOf } from '../record.ts'
import { listIn, splitFrontMatter, type FrontMatter } from './front-matter.ts'
import { indexNotes, replaceOutsideCode, type MarkdownNote, type NoteIndex } from './note-index.ts'
import { countOthers, makeWriteId, timeIn, type Notices, type Reader } from './reading.ts'
import { decode, inTurns, isHidden, readText, type SourceFile } from '../source.ts'

/**
 * A folder of Markdown files. Each file becomes a note in its folder. Tags come from front matter and text. Front matter with
 * more than tags and title stays in the text, so nothing is lost.
 */

export const obsidian: Reader = {
  name: 'obsidian',
  shape: 'markdown files (`.md`) in a folder or zip file, with or without `.obsidian`',
  claim: async ({ files }) => files.filter(({ path }) => isSetting(path) || isNote(path)),
  async *read({ name, files }, notices) {
    const top = commonTop(files.map(({ path }) => path))
    const notes = files.filter(({ path }) => isNote(path))
    countOthers(
      files.filter(({ path }) => !isNote(path)),
      notices,
    )
    const index = indexNotes(await readOutlines(notes, top))
    for (const file of notes) {
      const path = file.path.slice(top.length)
      const note = toNote(
        { path, text: await readNoteText(file, notices), modifiedAt: file.modifiedAt },
        index,
        notices,
      )
      if (note !== undefined) yield { ...note, externalWriteId: makeWriteId('obsidian', `${name}\n${path}`) }
    }
  },
}

/** The settings show where the vault begins. */
const isSetting = (path: string) => /(^|\/)\.obsidian\//.test(path)

export const isNote = (path: string) => /\.md$/i.test(path) && !isHidden(path)

/** A zip of a vault often contains the vault's own folder, which is not a folder of notes. */
function commonTop(paths: readonly string[]): string {
  const settings = paths.find(isSetting)
  return settings === undefined ? '' : settings.slice(0, settings.indexOf('.obsidian/'))
}

/** Reads all titles first, because links need them. */
export const readOutlines = (notes: readonly SourceFile[], top: string): Promise<MarkdownNote[]> =>
  inTurns(notes, async (file) => {
    const path = file.path.slice(top.length)
    const { fields } = splitFrontMatter(await readText(file))
    return {
      path,
      baseName: toBaseName(path),
      ownTitle: titleIn(fields),
      aliases: toList(fields.aliases ?? fields.alias),
    }
  })

const toBaseName = (path: string) => baseName(path).replace(/\.md$/i, '')

const titleIn = ({ title }: Record<string, unknown>): string | undefined =>
  typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined

/** Splits only at commas, because an alias may contain spaces. */
const toList = (value: unknown): string[] =>
  Array.isArray(value) ? listIn(value) : typeof value === 'string' ? value.split(',').map((one) => one.trim()) : []

export async function readNoteText(file: SourceFile, notices: Notices): Promise<string> {
  const bytes = await file.read()
  const text = decode(bytes)
  if (text.includes('\uFFFD') && !hasReplacementCharacter(bytes)) notices.add('texts with invalid UTF-8', file.path)
  return text
}

/** Whether the file itself contains the replacement character. */
function hasReplacementCharacter(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) return true
  return false
}

export const maxChars = 500_000

export function toNote(
  { path, text, modifiedAt }: { path: string; text: string; modifiedAt: SourceFile['modifiedAt'] },
  index: NoteIndex,
  notices: Notices,
): RecordOf<'note'> | undefined {
  const parts = splitFrontMatter(text)
  if (parts.isBroken) notices.add('front matter with invalid YAML, kept as text', path)
  // Check the length before parsing.
  if (parts.body.length > maxChars) return refuseLong(path, notices)
  const linked = index.rewriteLinks(parts.body, path)
  if (linked.unresolved.length > 0)
    notices.add(
      'links to missing notes, kept unchanged',
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
    tags: listTags(parts, path, notices),
    folderPath: folderOf(path, notices),
    createdAt: timeIn(parts.fields.created) ?? timeIn(parts.fields.date) ?? updatedAt,
    updatedAt,
  }
}

export function refuseLong(path: string, notices: Notices): undefined {
  notices.add(`notes of more than ${maxChars} characters, not imported`, path)
}

/** Keeps the front matter if it has fields other than tags and title. */
function keptBlock({ fields, block }: FrontMatter): string {
  const others = Object.keys(fields).filter((name) => !['tags', 'tag', 'title'].includes(name))
  return block === undefined || others.length === 0 ? '' : `---\n${block}\n---\n`
}

const maxTags = 50
const maxTagChars = 100

function listTags({ fields, body }: FrontMatter, path: string, notices: Notices): string[] {
  const tags = new Map<string, string>()
  const add = (tag: string) => {
    if (tag.length > 2 * maxTagChars) return
    const name = tag.replace(/^#/, '').replace(/\/+$/, '')
    if (name !== '' && name.length <= maxTagChars && !tags.has(name.toLowerCase())) tags.set(name.toLowerCase(), name)
  }
  for (const tag of [...listIn(fields.tags), ...listIn(fields.tag)]) add(tag)
  // A tag needs a character that is not a digit.
  replaceOutsideCode(
    body,
    /(?<![^\s])#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]*[^\P{L}][\p{L}\p{N}\p{M}_/-]*)/gu,
    (match) => {
      add(match[1] ?? '')
      return match[0]
    },
  )
  if (tags.size > maxTags) notices.add(`tags beyond ${maxTags} per note, left out`, path, tags.size - maxTags)
  return [...tags.values()].slice(0, maxTags)
}

const maxLevels = 20
const maxFolderChars = 200

function folderOf(path: string, notices: Notices): string | undefined {
  const names = path.split('/').slice(0, -1)
  if (names.length === 0) return undefined
  if (names.length > maxLevels) notices.add(`folders deeper than ${maxLevels} levels, moved to the last level`, path)
  return names
    .slice(0, maxLevels)
    .map((name) => name.slice(0, maxFolderChars))
    .join('/')
}
