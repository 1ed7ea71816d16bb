/** The file names and the format version of an export. */

export const schemaVersion = 1

export const archive = {
  manifest: 'manifest.json',
  readme: 'README.md',
  settings: 'settings.json',
  folders: 'folders.jsonl',
  noteVersions: 'note-versions.jsonl',
  memories: 'memories.jsonl',
  tasks: 'tasks.jsonl',
  memoryVersions: 'memory-versions.jsonl',
  links: 'links.jsonl',
  messages: 'messages.jsonl',
  documentVersions: 'document-versions.jsonl',
} as const

/** The front matter field for everything that Markdown has no place for, as JSON, which is also YAML. */
export const frontMatterField = 'holdfast'

const maxNameBytes = 150

/** Creates file names that all systems accept, unique in their folder regardless of case. The exact title is in the file. */
export class FileNames {
  readonly #taken = new Set<string>()
  /** The last number used per name. */
  readonly #numbers = new Map<string, number>()

  nameFor(folder: string, title: string, ending: string): string {
    const base = safeName(title)
    const name = toKey(`${folder}${base}`)
    for (let number = (this.#numbers.get(name) ?? 0) + 1; ; number++) {
      const path = `${folder}${base}${number === 1 ? '' : ` (${number})`}${ending}`
      const key = toKey(path)
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      this.#numbers.set(name, number)
      return path
    }
  }
}

const toKey = (path: string) => path.normalize('NFKC').toLowerCase()

export function safeName(text: string): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\\/:*?"<>|#^[\]]/gu, '-')
    .trim()
    .replaceAll(/^\.+|[. ]+$/g, '')
  const short = clip(plain).trim()
  if (short === '') return 'Untitled'
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(short) ? `_${short}` : short
}

const encoder = new TextEncoder()

function clip(text: string): string {
  let [kept, bytes] = ['', 0]
  for (const character of text) {
    bytes += encoder.encode(character).length
    if (bytes > maxNameBytes) break
    kept += character
  }
  return kept
}
