import { agentsMd } from './agents-md.ts'
import { basicMemory } from './basic-memory.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { holdfast } from './holdfast.ts'
import { mem0 } from './mem0.ts'
import { notion } from './notion.ts'
import { obsidian } from './obsidian.ts'
import type { Reader } from './reading.ts'
import { serverMemory } from './server-memory.ts'
import { SourceError, type Source } from '../source.ts'

/** The readers in the order of detection. The one that accepts any folder of Markdown is last. */
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

/** Finds the reader for a source. */
export async function detectReader(source: Source): Promise<Reader> {
  for (const reader of readers) if (await reader.recognizes(source)) return reader
  const shapes = readers.map(({ name, shape }) => `  ${name}: ${shape}`)
  throw new SourceError(['Unknown format. Supported formats:', ...shapes].join('\n'))
}
