/** What an export is called inside, and which shape it has. */

export const schemaVersion = 1

export const archive = {
  manifest: 'manifest.json',
  readme: 'README.md',
  settings: 'settings.json',
  folders: 'folders.jsonl',
  noteVersions: 'note-versions.jsonl',
  memories: 'memories.jsonl',
  tasks: 'tasks.jsonl',
  links: 'links.jsonl',
  messages: 'messages.jsonl',
  documentVersions: 'document-versions.jsonl',
} as const

/** Of the one field of front matter that holds what markdown has no place for, as JSON, which is YAML too. */
export const frontMatterField = 'holdfast'

const maxNameBytes = 150

/** File names that all systems take, each once in its folder whatever the letter case; the exact title stands in the file. */
export class FileNames {
  readonly #taken = new Set<string>()
  /** The last number of each name: none is tried twice. */
  readonly #numbers = new Map<string, number>()

  nameFor(folder: string, title: string, ending: string): string {
    const base = safeName(title)
    const name = keyOf(`${folder}${base}`)
    for (let number = (this.#numbers.get(name) ?? 0) + 1; ; number++) {
      const path = `${folder}${base}${number === 1 ? '' : ` (${number})`}${ending}`
      const key = keyOf(path)
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      this.#numbers.set(name, number)
      return path
    }
  }
}

const keyOf = (path: string) => path.normalize('NFKC').toLowerCase()

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
