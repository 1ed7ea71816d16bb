import { sha256InPieces } from '../../crypto/hash.ts'
import { BoxError } from '../../crypto/passphrase-box.ts'
import { archive, frontMatterField, schemaVersion } from '../archive-names.ts'
import type { TransferRecord } from '../record.ts'
import type { Reader } from './reading.ts'
import { linesIn, SourceError, type Source, type SourceFile } from './source-files.ts'

/** Our own export. It is checked as a whole before the first record is read. */

export const holdfast: Reader = {
  name: 'holdfast',
  shape: 'a zip file made by `holdfast export`, with `manifest.json`',
  recognises: async (source) => (await manifestOf(source)) !== undefined,
  async *read(source) {
    const manifest = await manifestOf(source)
    if (manifest === undefined) throw new SourceError('There is no manifest.json of a Holdfast export in it.')
    if (manifest.schemaVersion > schemaVersion)
      throw new SourceError('The export was made by a newer version of Holdfast than this one.')
    await refuseChanged(source, manifest)
    const at = (path: string) => source.files.find((file) => file.path === path)
    const under = (folder: string) => source.files.filter(({ path }) => path.startsWith(folder))
    yield* linesOf(at(archive.settings))
    yield* linesOf(at(archive.folders))
    for (const file of [...under('notes/'), ...under('trash/')]) yield markdownIn('note', file.path, await file.read())
    yield* linesOf(at(archive.noteVersions))
    yield* linesOf(at(archive.memories))
    yield* linesOf(at(archive.tasks))
    yield* linesOf(at(archive.links))
    yield* linesOf(at(archive.messages))
    for (const file of under('documents/')) yield markdownIn('document', file.path, await file.read())
    yield* linesOf(at(archive.documentVersions))
  },
}

interface Manifest {
  schemaVersion: number
  files: Record<string, string>
}

async function manifestOf({ files }: Source): Promise<Manifest | undefined> {
  const file = files.find(({ path }) => path === archive.manifest)
  if (file === undefined) return undefined
  try {
    const manifest = JSON.parse((await file.read()).toString('utf8')) as Manifest & { format?: unknown }
    return manifest.format === 'holdfast-export' ? manifest : undefined
  } catch {
    return undefined
  }
}

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
    for await (const piece of await file.stream()) hash.update(piece as Buffer)
    return hash.digest().toString('hex')
  } catch (error) {
    if (error instanceof BoxError) throw error
    return ''
  }
}

async function* linesOf(file: SourceFile | undefined): AsyncGenerator<TransferRecord> {
  if (file === undefined) return
  for await (const line of linesIn(file)) if (line !== '') yield JSON.parse(line) as TransferRecord
}

/** The lines of front matter end in the one that holds everything. */
function markdownIn(kind: 'note' | 'document', path: string, bytes: Buffer): TransferRecord {
  const text = bytes.toString('utf8')
  const start = text.indexOf(`\n${frontMatterField}: `) + frontMatterField.length + 3
  const end = text.indexOf('\n---\n', start)
  const fields = parse(path, text.slice(start, end)) as object
  return { kind, ...fields, content: text.slice(end + '\n---\n'.length) } as TransferRecord
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SourceError(`${path} does not hold what an export does.`)
  }
}
