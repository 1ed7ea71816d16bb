import { agentsMd } from './agents-md.ts'
import { basicMemory } from './basic-memory.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { holdfast } from './holdfast.ts'
import { mem0 } from './mem0.ts'
import { notion } from './notion.ts'
import { obsidian } from './obsidian.ts'
import { countOthers, type Reader } from './reading.ts'
import { serverMemory } from './server-memory.ts'
import { SourceError, type Source, type SourceFile } from '../source.ts'

/** The readers in the order in which `auto` asks them. The one that accepts any Markdown is last. */
export const readers: readonly Reader[] = [
  holdfast,
  chatgpt,
  claude,
  serverMemory,
  mem0,
  notion,
  basicMemory,
  agentsMd,
  obsidian,
]

interface Part {
  reader: Reader
  files: SourceFile[]
}

/**
 * Finds the readers for a source, and returns them as one. Each file goes to the first reader that knows its format, because
 * a folder may hold notes next to the exports of several programs. Files that no reader takes are counted.
 */
export async function detectReader(source: Source): Promise<Reader> {
  const { parts, others } = await divide(source)
  const [first, ...more] = parts
  if (first === undefined) {
    const shapes = readers.map(({ name, shape }) => `  ${name}: ${shape}`)
    throw new SourceError(['Unknown format. Supported formats:', ...shapes].join('\n'))
  }
  if (more.length === 0) return limit(first, others)
  return {
    name: parts.map(({ reader }) => reader.name).join(', '),
    shape: parts.map(({ reader }) => reader.shape).join('; '),
    claim: async ({ files }) => files,
    async *read(whole, notices) {
      for (const { reader, files } of parts) yield* reader.read({ ...whole, files }, notices)
      countOthers(others, notices)
    },
  }
}

async function divide(source: Source): Promise<{ parts: Part[]; others: SourceFile[] }> {
  const parts: Part[] = []
  let others = source.files
  for (const reader of readers) {
    const files = await reader.claim({ ...source, files: others })
    if (files.length === 0) continue
    parts.push({ reader, files })
    const claimed = new Set(files)
    others = others.filter((file) => !claimed.has(file))
  }
  return { parts, others }
}

/** A reader that reads only its own files, and reports the others. */
function limit({ reader, files }: Part, others: readonly SourceFile[]): Reader {
  const { read, readAsDocument } = reader
  const limited = (readAll: Reader['read']): Reader['read'] =>
    async function* (whole, notices) {
      yield* readAll({ ...whole, files }, notices)
      countOthers(others, notices)
    }
  return { ...reader, read: limited(read), ...(readAsDocument && { readAsDocument: limited(readAsDocument) }) }
}
