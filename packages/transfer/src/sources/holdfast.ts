import { archive, frontMatterField, schemaVersion } from '../archive-names.ts'
import type { Kind, TransferRecord } from '../record.ts'
import { isObject, parseObject, readJson, textIn, type Item } from './json-file.ts'
import type { Notices, Reader } from './reading.ts'
import { sha256InPieces } from '../sha256.ts'
import { linesIn, readText, SourceError, type Source, type SourceFile } from '../source.ts'

/** Our own export. It is checked as a whole before the first record is read. */

export const holdfast: Reader = {
  name: 'holdfast',
  shape: 'a zip file made by `holdfast export`, with `manifest.json`',
  recognises: async (source) => (await manifestOf(source)) !== undefined,
  async *read(source, notices) {
    const manifest = checkManifest(await manifestOf(source))
    await refuseChanged(source, manifest)
    // What the manifest does not name was put there by somebody else.
    const files = source.files.filter(({ path }) => Object.hasOwn(manifest.files, path))
    for (const { path } of source.files)
      if (path !== archive.manifest && !Object.hasOwn(manifest.files, path))
        notices.add('files that the manifest does not name, which are not imported', path)
    const at = (path: string) => files.find((file) => file.path === path)
    const under = (folder: string) => files.filter(({ path }) => path.startsWith(folder))
    yield* linesOf('settings', at(archive.settings), notices)
    yield* linesOf('folder', at(archive.folders), notices)
    for (const file of [...under('notes/'), ...under('trash/')]) yield* markdownIn('note', file, notices)
    yield* linesOf('noteVersion', at(archive.noteVersions), notices)
    yield* linesOf('memory', at(archive.memories), notices)
    yield* linesOf('memory', at(archive.tasks), notices)
    yield* linesOf('link', at(archive.links), notices)
    yield* linesOf('message', at(archive.messages), notices)
    for (const file of under('documents/')) yield* markdownIn('document', file, notices)
    yield* linesOf('documentVersion', at(archive.documentVersions), notices)
  },
}

interface Manifest {
  files: Record<string, string>
}

/** Undefined where it is none of ours. */
async function manifestOf({ files }: Source): Promise<Item | undefined> {
  const file = files.find(({ path }) => path === archive.manifest)
  const value = file === undefined ? undefined : await readJson(file)
  return isObject(value) && value.format === 'holdfast-export' ? value : undefined
}

function checkManifest(value: Item | undefined): Manifest {
  if (value === undefined) throw new SourceError('There is no manifest.json of a Holdfast export in it.')
  if (typeof value.schemaVersion === 'number' && value.schemaVersion > schemaVersion)
    throw new SourceError('The export was made by a newer version of Holdfast than this one.')
  const { files } = value
  if (!isVersion(value.schemaVersion) || !isObject(files) || !Object.values(files).every(isText))
    throw new SourceError('The manifest.json in it does not hold what an export does.')
  return { files: files as Manifest['files'] }
}

const isVersion = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1
const isText = (value: unknown) => typeof value === 'string'

async function refuseChanged(source: Source, { files }: Manifest): Promise<void> {
  const present = new Map(source.files.map((file) => [file.path, file]))
  for (const [path, expected] of Object.entries(files)) {
    const file = present.get(path)
    if (file === undefined) throw new SourceError(`${path} is missing from the export.`)
    if ((await hashOf(file)) !== expected)
      throw new SourceError(`${path} is not as it was exported: its SHA-256 differs from the manifest's.`)
  }
}

/** Empty where the zip file is damaged there. */
async function hashOf(file: SourceFile): Promise<string> {
  const hash = sha256InPieces()
  try {
    for await (const piece of await file.stream()) hash.update(piece)
    return hash.hex()
  } catch (error) {
    if (error instanceof SourceError) return ''
    throw error
  }
}

/** What is no record of the kind is refused alone. */
async function* linesOf(kind: Kind, file: SourceFile | undefined, notices: Notices): AsyncGenerator<TransferRecord> {
  if (file === undefined) return
  let number = 0
  for await (const line of linesIn(file)) {
    number++
    if (line === '') continue
    const item = parseObject(line)
    if (item?.kind === kind) yield item as unknown as TransferRecord
    else notices.refuse(kind, `${file.path}, line ${number}`, `is no ${kind}`)
  }
}

/** The lines of front matter end in the one that holds everything. */
async function* markdownIn(
  kind: 'note' | 'document',
  file: SourceFile,
  notices: Notices,
): AsyncGenerator<TransferRecord> {
  const text = await readText(file)
  const start = text.indexOf(`\n${frontMatterField}: `) + frontMatterField.length + 3
  const end = text.indexOf('\n---\n', start)
  const fields = parseObject(text.slice(start, end))
  if (fields === undefined) notices.refuse(kind, file.path, 'does not hold what an export does')
  else {
    const { ownBlock, ...record } = fields
    const content = (textIn(ownBlock) ?? '') + text.slice(end + '\n---\n'.length)
    yield { ...record, kind, content } as TransferRecord
  }
}
