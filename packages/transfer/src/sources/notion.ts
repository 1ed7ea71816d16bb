import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { baseName, folderOf } from '../paths.ts'
import type { RecordOf } from '../record.ts'
import { indexNotes, type MarkdownNote } from './note-index.ts'
import { maxChars, refuseLong, readNoteText } from './obsidian.ts'
import { countOthers, makeWriteId, type Notices, type Reader } from './reading.ts'
import { decode, inTurns, isHidden, readText, SourceError, type SourceFile } from '../source.ts'

/** A Notion export of Markdown and CSV. Ids in names are removed, links use titles, and a table becomes a note. */

export const notion: Reader = {
  name: 'notion',
  shape: 'markdown and CSV files whose names end in 32 hexadecimal digits',
  claim: async ({ files }) =>
    files.some(({ path }) => isPage(path) && idIn(baseName(path)) !== undefined)
      ? files.filter(({ path }) => path.split('/').some((name) => idIn(name) !== undefined))
      : [],
  async *read({ name, files }, notices) {
    if (files.length > 0 && files.every(({ path }) => /\.zip$/i.test(path)))
      throw new SourceError('The export contains more zip files. Unpack it and import each of them.')
    const pages = files.filter(({ path }) => isPage(path))
    const tables = tablesIn(files)
    countOthers(
      files.filter(({ path }) => !isPage(path) && !/\.csv$/i.test(path)),
      notices,
    )
    const index = indexNotes(await inTurns([...pages, ...tables], readOutline))
    for (const file of pages) {
      const text = await readNoteText(file, notices)
      if (text.length > maxChars) {
        refuseLong(file.path, notices)
        continue
      }
      const linked = index.rewriteLinks(text, file.path)
      // The text repeats the title at the top.
      const content = linked.text.replace(/^\uFEFF?# .*(\r?\n)*/, '')
      yield* toNote(name, file, { title: index.titleOf(file.path), content }, notices)
    }
    for (const file of tables) {
      const content = await readTable(file)
      if (content === undefined) notices.add('invalid CSV tables, not imported', file.path)
      else yield* toNote(name, file, { title: index.titleOf(asPage(file.path)), content }, notices)
    }
  },
}

const isPage = (path: string) => /\.md$/i.test(path) && !isHidden(path)

const hexId = / ([0-9a-f]{32})(?=(_all)?(\.\w+)?$)/i
const idIn = (name: string): string | undefined => hexId.exec(name)?.[1]?.toLowerCase()

const toPlainPath = (path: string): string =>
  path
    .split('/')
    .map((name) =>
      name
        .replace(hexId, '')
        .replace(/_all(?=\.csv$)/i, '')
        .trim(),
    )
    .join('/')

/** `X_all.csv` has all rows, `X.csv` only the rows of one view. */
function tablesIn(files: readonly SourceFile[]): SourceFile[] {
  const paths = new Set(files.map(({ path }) => path))
  return files.filter(
    ({ path }) => /\.csv$/i.test(path) && (/_all\.csv$/i.test(path) || !paths.has(path.replace(/\.csv$/i, '_all.csv'))),
  )
}

/** Links to tables look like links to pages. */
const asPage = (path: string) => path.replace(/(_all)?\.csv$/i, '.md')

async function readOutline(file: SourceFile): Promise<MarkdownNote> {
  const path = asPage(file.path)
  const plainPath = asPage(toPlainPath(file.path))
  const heading = isPage(file.path) ? /^\uFEFF?# +(.*\S)/.exec(await readText(file))?.[1] : undefined
  return { path, plainPath, baseName: baseName(plainPath).replace(/\.md$/i, ''), ownTitle: heading, aliases: [] }
}

function* toNote(
  source: string,
  file: SourceFile,
  { title, content }: { title: string; content: string },
  notices: Notices,
): Generator<RecordOf<'note'>> {
  if (content.length > maxChars) return refuseLong(file.path, notices)
  const folder = folderOf(toPlainPath(file.path))
  const at = new Date(file.modifiedAt).toISOString()
  yield {
    kind: 'note',
    externalWriteId: makeWriteId('notion', idIn(baseName(file.path)) ?? `${source}\n${file.path}`),
    title,
    content,
    tags: ['notion'],
    folderPath: folder === '.' ? undefined : folder,
    createdAt: at,
    updatedAt: at,
  }
}

/** Returns undefined for invalid CSV, for example with an unclosed quote. */
async function readTable(file: SourceFile): Promise<string | undefined> {
  const rows = rowsIn(await file.read())
  const [head, ...others] = rows?.map((row) => `| ${row.map(cell).join(' | ')} |`) ?? []
  if (head === undefined) return rows && ''
  const rule = `|${' --- |'.repeat(rows?.[0]?.length ?? 1)}`
  return [head, rule, ...others].join('\n')
}

function rowsIn(bytes: Uint8Array): string[][] | undefined {
  try {
    return parse(decode(bytes), { bom: true, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true })
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\r?\n/g, '<br>')
