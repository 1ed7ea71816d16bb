import { isReadable } from '../../../components/text/is-readable.ts'
import { nextTask, stepMs } from '../../../components/text/parse-in-steps.ts'
import { blocksOf, parseMarkdown, readMarkdown, type Block } from '../../../components/text/read-markdown.ts'

/** A block of a note, and the level of the page's heading if it is one. */
export interface ShownBlock {
  block: Block
  level: number
}

/** Blocks that are rendered together, and only once they come near the screen. */
export type Chunk = readonly ShownBlock[]

const blocksPerChunk = 40
const itemsPerList = 200
const plainLength = 10_000
/** Longer texts are read in steps, so the page can answer keys meanwhile. */
const maxAtOnce = 20_000

/** The chunks that can be shown at once: all of a short text, or the beginning of a long one. */
export function firstChunks(text: string): { chunks: Chunk[]; isAll: boolean } {
  if (text.length <= maxAtOnce) return { chunks: chunksOf(readMarkdown(text)), isAll: true }
  if (!isReadable(text)) return { chunks: plainChunks(text), isAll: true }
  const start = text.slice(0, maxAtOnce / 2)
  const end = start.lastIndexOf('\n\n')
  return { chunks: chunksOf(readMarkdown(end < 0 ? start : start.slice(0, end))), isAll: false }
}

/** Reads a long text and reports the chunks found so far, several times. */
export async function readChunks(
  text: string,
  signal: AbortSignal,
  onChunks: (chunks: Chunk[], isAll: boolean) => void,
): Promise<void> {
  const tree = await parseMarkdown(text, signal)
  if (tree === undefined) return
  const builder = new ChunkBuilder()
  let until = performance.now() + stepMs
  for (const block of blocksOf(text, tree)) {
    builder.add(block)
    if (performance.now() < until) continue
    onChunks(builder.complete(), false)
    await nextTask()
    if (signal.aborted) return
    until = performance.now() + stepMs
  }
  onChunks(builder.all(), true)
}

function chunksOf(blocks: readonly Block[]): Chunk[] {
  const builder = new ChunkBuilder()
  for (const block of blocks) builder.add(block)
  return builder.all()
}

class ChunkBuilder {
  readonly #chunks: Chunk[] = []
  #current: ShownBlock[] = []
  #firstLevel: number | undefined
  /** The page's heading is the note's title. */
  #lastLevel = 1

  add(block: Block): void {
    for (const piece of piecesOf(block)) {
      this.#current.push({ block: piece, level: this.#levelOf(piece) })
      if (this.#current.length < blocksPerChunk) continue
      this.#chunks.push(this.#current)
      this.#current = []
    }
  }

  complete(): Chunk[] {
    return [...this.#chunks]
  }

  all(): Chunk[] {
    return this.#current.length === 0 ? [...this.#chunks] : [...this.#chunks, this.#current]
  }

  /** Headings begin at level 2 and skip no level, whatever the text does. */
  #levelOf(block: Block): number {
    if (block.kind !== 'heading') return 0
    this.#firstLevel ??= block.level
    const wanted = Math.max(2, block.level - this.#firstLevel + 2)
    this.#lastLevel = Math.min(6, wanted, this.#lastLevel + 1)
    return this.#lastLevel
  }
}

/** A list of thousands of items is shown in parts. */
function piecesOf(block: Block): Block[] {
  if (block.kind !== 'list' || block.items.length <= itemsPerList) return [block]
  const { items, start } = block
  return Array.from({ length: Math.ceil(items.length / itemsPerList) }, (_, at) => ({
    ...block,
    start: start + at * itemsPerList,
    items: items.slice(at * itemsPerList, (at + 1) * itemsPerList),
  }))
}

/** A text that isn't read as Markdown, cut at line breaks where there are any. */
function plainChunks(text: string): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < text.length;) {
    const piece = text.slice(at, at + plainLength)
    const cut = at + plainLength < text.length ? piece.lastIndexOf('\n') + 1 : 0
    const shown = cut === 0 ? piece : piece.slice(0, cut)
    chunks.push([{ block: { kind: 'paragraph', parts: [{ kind: 'text', text: shown }] }, level: 0 }])
    at += shown.length
  }
  return chunks
}
