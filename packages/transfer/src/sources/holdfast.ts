import { archive, frontMatterField, schemaVersion } from '../archive-names.ts'
import type { Kind, TransferRecord } from '../record.ts'
import { isObject, parseObject, readJson, textIn, type Item } from './json-file.ts'
import type { Notices, Reader } from './reading.ts'
import { sha256InPieces } from '../sha256.ts'
import { linesIn, readText, SourceError, type Source, type SourceFile } from '../source.ts'

/** A Holdfast export. It is verified as a whole before the first record is read. */

export const holdfast: Reader = {
  name: 'holdfast',
  shape: 'a zip file made by `holdfast export`, with `manifest.json`',
  // All files, because the manifest is about the source as a whole.
  claim: async (source) => ((await readManifest(source)) === undefined ? [] : source.files),
  async *read(source, notices) {
    const manifest = checkManifest(await readManifest(source))
    await refuseChanged(source, manifest)
    // Files that are not in the manifest were added by someone else.
    const files = source.files.filter(({ path }) => Object.hasOwn(manifest.files, path))
    for (const { path } of source.files)
      if (path !== archive.manifest && !Object.hasOwn(manifest.files, path))
        notices.add('files that are not in the manifest, not imported', path)
    const at = (path: string) => files.find((file) => file.path === path)
    const under = (folder: string) => files.filter(({ path }) => path.startsWith(folder))
    yield* readLines('settings', at(archive.settings), notices)
    yield* readLines('folder', at(archive.folders), notices)
    for (const file of [...under('notes/'), ...under('trash/')]) yield* readMarkdown('note', file, notices)
    yield* readLines('noteVersion', at(archive.noteVersions), notices)
    yield* readLines('memory', at(archive.memories), notices)
    yield* readLines('memory', at(archive.tasks), notices)
    yield* readLines('memoryVersion', at(archive.memoryVersions), notices)
    yield* readLines('link', at(archive.links), notices)
    yield* readLines('message', at(archive.messages), notices)
    for (const file of under('documents/')) yield* readMarkdown('document', file, notices)
    yield* readLines('documentVersion', at(archive.documentVersions), notices)
  },
}

interface Manifest {
  files: Record<string, string>
}

/** Returns undefined if the source is no Holdfast export. */
async function readManifest({ files }: Source): Promise<Item | undefined> {
  const file = files.find(({ path }) => path === archive.manifest)
  const value = file === undefined ? undefined : await readJson(file)
  return isObject(value) && value.format === 'holdfast-export' ? value : undefined
}

function checkManifest(value: Item | undefined): Manifest {
  if (value === undefined) throw new SourceError('This is not a Holdfast export: it has no manifest.json of one.')
  if (typeof value.schemaVersion === 'number' && value.schemaVersion > schemaVersion)
    throw new SourceError('The export comes from a newer version of Holdfast.')
  const { files } = value
  if (!isVersion(value.schemaVersion) || !isObject(files) || !Object.values(files).every(isText))
    throw new SourceError('Its manifest.json is invalid.')
  return { files: files as Manifest['files'] }
}

const isVersion = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1
const isText = (value: unknown) => typeof value === 'string'

async function refuseChanged(source: Source, { files }: Manifest): Promise<void> {
  const present = new Map(source.files.map((file) => [file.path, file]))
  for (const [path, expected] of Object.entries(files)) {
    const file = present.get(path)
    if (file === undefined) throw new SourceError(`${path} is missing from the export.`)
    if ((await hashFile(file)) !== expected)
      throw new SourceError(`${path} has changed since the export: its SHA-256 does not match the manifest.`)
  }
}

/** Returns an empty string if the zip file is damaged there. */
async function hashFile(file: SourceFile): Promise<string> {
  const hash = sha256InPieces()
  try {
    for await (const piece of await file.stream()) hash.update(piece)
    return hash.hex()
  } catch (error) {
    if (error instanceof SourceError) return ''
    throw error
  }
}

/** Reads records of a kind. Skips invalid lines one by one. */
async function* readLines(kind: Kind, file: SourceFile | undefined, notices: Notices): AsyncGenerator<TransferRecord> {
  if (file === undefined) return
  let number = 0
  for await (const line of linesIn(file)) {
    number++
    if (line === '') continue
    const item = parseObject(line)
    if (item?.kind === kind) yield item as unknown as TransferRecord
    else notices.refuse(kind, `${file.path}, line ${number}`, `is not a ${kind}`)
  }
}

/** Reads a Markdown file. The last line of its front matter contains all fields. */
async function* readMarkdown(
  kind: 'note' | 'document',
  file: SourceFile,
  notices: Notices,
): AsyncGenerator<TransferRecord> {
  const text = await readText(file)
  const start = text.indexOf(`\n${frontMatterField}: `) + frontMatterField.length + 3
  const end = text.indexOf('\n---\n', start)
  const fields = parseObject(text.slice(start, end))
  if (fields === undefined) notices.refuse(kind, file.path, 'has no valid front matter')
  else {
    const { ownBlock, ...record } = fields
    const content = (textIn(ownBlock) ?? '') + text.slice(end + '\n---\n'.length)
    yield { ...record, kind, content } as TransferRecord
  }
}
