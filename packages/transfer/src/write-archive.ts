import { archive, FileNames, frontMatterField, safeName, schemaVersion } from './archive-names.ts'
import { splitFrontMatter } from './sources/front-matter.ts'
import type { Kind, RecordOf, TransferRecord } from './record.ts'
import { sha256InPieces } from './sha256.ts'

/** Writes a vault into a zip file, with one page in memory at a time. */

export interface ArchiveOptions {
  vault: { vaultId: string; name: string; description: string | null }
  version: string
  exportedAt: string
  /** Returns all records of a kind, page by page. */
  records(kind: Kind): AsyncGenerator<TransferRecord>
  onProgress(done: number): void
}

export interface Manifest {
  format: 'holdfast-export'
  schemaVersion: number
  version: string
  exportedAt: string
  vault: ArchiveOptions['vault']
  counts: Partial<Record<Kind | 'task', number>>
  /** SHA-256 of each other file. */
  files: Record<string, string>
}

/** Receives the files of the archive, one after the other. */
export interface ZipSink {
  /** Resolves when the file is written, so only one is in memory at a time. */
  add(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
  end(): void | Promise<void>
}

export async function writeArchive(zip: ZipSink, options: ArchiveOptions): Promise<Manifest> {
  const files = new Map<string, string>()
  const counter = new Counter(options)
  const add = async (path: string, text: AsyncIterable<string> | Iterable<string>) => {
    files.set(path, await addFile(zip, path, text))
  }
  await add(archive.readme, [readme(options)])
  await add(archive.settings, lines(counter.of('settings')))
  await add(archive.folders, lines(counter.of('folder')))
  const names = new FileNames()
  for await (const note of counter.of('note')) await add(choosePath(note, names), [printMarkdown(note)])
  await add(archive.noteVersions, lines(counter.of('noteVersion')))
  await add(archive.memories, lines(counter.of('memory', (one) => one.memoryType !== 'task')))
  await add(archive.tasks, lines(counter.of('memory', (one) => one.memoryType === 'task', 'task')))
  await add(archive.memoryVersions, lines(counter.of('memoryVersion')))
  await add(archive.links, lines(counter.of('link')))
  await add(archive.messages, lines(counter.of('message')))
  for await (const document of counter.of('document'))
    await add(`documents/${document.documentType}.md`, [printDocument(document)])
  await add(archive.documentVersions, lines(counter.of('documentVersion')))
  const manifest: Manifest = {
    format: 'holdfast-export',
    schemaVersion,
    version: options.version,
    exportedAt: options.exportedAt,
    vault: options.vault,
    counts: counter.counts,
    files: Object.fromEntries(files),
  }
  await addFile(zip, archive.manifest, [JSON.stringify(manifest, undefined, 2)])
  await zip.end()
  return manifest
}

class Counter {
  readonly counts: Manifest['counts'] = {}
  readonly #options: ArchiveOptions
  #done = 0

  constructor(options: ArchiveOptions) {
    this.#options = options
  }

  async *of<K extends Kind>(
    kind: K,
    isWanted: (record: RecordOf<K>) => boolean = () => true,
    name: K | 'task' = kind,
  ): AsyncGenerator<RecordOf<K>> {
    let count = 0
    this.counts[name] = count
    for await (const record of this.#options.records(kind)) {
      if (!isWanted(record as RecordOf<K>)) continue
      this.counts[name] = ++count
      this.#options.onProgress(++this.#done)
      yield record as RecordOf<K>
    }
  }
}

/** Adds a file and returns its SHA-256. */
async function addFile(zip: ZipSink, path: string, text: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const hash = sha256InPieces()
  const encoder = new TextEncoder()
  async function* pieces() {
    for await (const piece of text) {
      const bytes = encoder.encode(piece)
      hash.update(bytes)
      yield bytes
    }
  }
  await zip.add(path, pieces())
  return hash.hex()
}

async function* lines(records: AsyncIterable<TransferRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}

/** Puts trashed notes into a separate folder, so `notes` contains what the vault shows. */
function choosePath({ title, folderPath, trashedAt }: RecordOf<'note'>, names: FileNames): string {
  const top = trashedAt === undefined ? 'notes/' : 'trash/'
  const folders = (folderPath ?? '').split('/').filter((name) => name !== '')
  return names.nameFor(top + folders.map((name) => `${safeName(name)}/`).join(''), title, '.md')
}

function printMarkdown({ content = '', kind: _kind, ...rest }: RecordOf<'note'>): string {
  const { title, tags = [] } = rest
  const { fields, block, body } = splitFrontMatter(content)
  const own = block !== undefined && !block.includes(frontMatterField) ? block : undefined
  const has = (name: string) => own !== undefined && name in fields
  const visible = [
    ...(tags.length === 0 || has('tags') ? [] : [`tags: ${JSON.stringify(tags)}`]),
    ...(safeName(title) === title || has('aliases') ? [] : [`aliases: ${JSON.stringify([title])}`]),
  ]
  // A file has one front matter block, so the block of the text joins ours. `ownBlock` keeps it word for word for an import.
  const alone = withFields(visible, rest, content)
  if (own === undefined) return alone
  const joined = withFields(
    [own, ...visible],
    { ...rest, ownBlock: content.slice(0, content.length - body.length) },
    body,
  )
  return splitFrontMatter(joined).isBroken ? alone : joined
}

const printDocument = ({ content, kind: _kind, ...rest }: RecordOf<'document'>): string => withFields([], rest, content)

const withFields = (seen: readonly string[], fields: object, content: string): string =>
  ['---', ...seen, `${frontMatterField}: ${JSON.stringify(fields)}`, '---', content].join('\n')

const readme = ({ vault, version, exportedAt }: ArchiveOptions): string => `# ${vault.name.replaceAll(/\s+/g, ' ')}

A vault of Holdfast ${version}, exported at ${exportedAt}. It is plain text: protect it like the vault's key.

- \`notes\`: a Markdown file for each note. Open the folder with Obsidian or any editor. \`trash\`: notes in the trash.
- \`memories.jsonl\`, \`tasks.jsonl\`, \`links.jsonl\`, \`messages.jsonl\`, \`folders.jsonl\`: a JSON object on each line.
- \`note-versions.jsonl\`, \`memory-versions.jsonl\`, \`document-versions.jsonl\`: older versions.
- \`documents\`, \`settings.json\`: the vault's documents for its agents, and its settings.
- \`manifest.json\`: the number of records, and the SHA-256 of each file.

To import it, run \`holdfast import holdfast FILE.zip\`.
`
