import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pauses } from '../core/pauses.ts'
import { createCalibration, type Calibration } from './calibration.ts'
import { cutText, EmbeddingError, type EmbeddingProvider } from './provider.ts'

/**
 * The built-in model: a table with a row of numbers for each piece of a word. A text's vector is the mean of its pieces'
 * rows, at length 1. See scripts/model for how such a table is made, NOTICE for what this one was made from.
 */
export interface StaticModel {
  dims: number
  /** Undefined for a text of which the table knows no piece. */
  embed(text: string): { vector: Float32Array | undefined; tokens: number }
}

const magic = 'HFE1'
const headerBytes = 16

/** The table that lies in the package. Takes some 30 ms and 16 MB: for whoever needs it, once. */
export const loadStaticModel = (): StaticModel =>
  readStaticModel(readFileSync(join(import.meta.dirname, '../../assets/static-256.bin')))

/**
 * `"HFE1"` · uint32 rows · uint32 dims · uint32 bytes of vocabulary · vocabulary (UTF-8, a token a line, padded with spaces
 * to a multiple of 4) · float32 scale × rows · int8 rows × dims; little endian. A number is its int8 times its row's scale.
 */
export function readStaticModel(file: Buffer): StaticModel {
  if (file.length < headerBytes || file.toString('latin1', 0, 4) !== magic)
    throw new Error('This is no table of vectors')
  const [rowCount, dims, vocabularyBytes] = [file.readUInt32LE(4), file.readUInt32LE(8), file.readUInt32LE(12)]
  const scalesAt = headerBytes + vocabularyBytes
  const rowsAt = scalesAt + rowCount * 4
  if (file.length !== rowsAt + rowCount * dims) throw new Error('The table of vectors is cut off')
  const vocabulary = file.toString('utf8', headerBytes, scalesAt).trimEnd().split('\n')
  if (vocabulary.length !== rowCount) throw new Error('The table of vectors has not one row for each token')
  // A copy: a view would have to lie at a multiple of four.
  const scales = new Float32Array(new Uint8Array(file.subarray(scalesAt, rowsAt)).buffer)
  const numbers = new Int8Array(file.buffer, file.byteOffset + rowsAt, rowCount * dims)
  const wordPieces = createWordPieces(vocabulary)
  return {
    dims,
    embed(text) {
      const sum = new Float64Array(dims)
      let tokens = 0
      wordPieces(text, (row) => {
        tokens++
        addRow(sum, numbers, row * dims, scales[row] as number)
      })
      return { vector: toUnitLength(sum), tokens }
    },
  }
}

/**
 * A function of its own, whose arrays are at hand, four numbers a round, in doubles: 130 rows, as of 100 words, take 31 µs; one
 * number a round 44, in floats 40.
 */
function addRow(sum: Float64Array, numbers: Int8Array, start: number, scale: number): void {
  const inFours = sum.length - (sum.length % 4)
  for (let i = 0; i < inFours; i += 4) {
    sum[i] = (sum[i] as number) + (numbers[start + i] as number) * scale
    sum[i + 1] = (sum[i + 1] as number) + (numbers[start + i + 1] as number) * scale
    sum[i + 2] = (sum[i + 2] as number) + (numbers[start + i + 2] as number) * scale
    sum[i + 3] = (sum[i + 3] as number) + (numbers[start + i + 3] as number) * scale
  }
  for (let i = inFours; i < sum.length; i++) sum[i] = (sum[i] as number) + (numbers[start + i] as number) * scale
}

function toUnitLength(sum: Float64Array): Float32Array | undefined {
  let squares = 0
  for (let i = 0; i < sum.length; i++) squares += (sum[i] as number) * (sum[i] as number)
  if (squares === 0) return undefined
  const length = Math.sqrt(squares)
  const unit = new Float32Array(sum.length)
  for (let i = 0; i < sum.length; i++) unit[i] = (sum[i] as number) / length
  return unit
}

/** The name of the generation of vectors: another table is another model. */
const modelId = 'static/holdfast-256-1'
const maxInputChars = 20_000
const batchSize = 32

/**
 * The default thresholds of memories and notes, 0.4 and 0.5, lie where this model's noise ends: leaving out what lies under
 * the cosines 0.30 and 0.37 cost at most 0.2 points of recall@10 on five sets, 0.40 up to 1.1. What dedup asks for, 0.88 and
 * 0.95, is fitted (scripts/fit-calibration.ts) on the 8,628 English pairs of the STS benchmark, where it has Spearman 0.77;
 * the same fit gives 0.29 and 0.37 for the other two.
 */
const ownCalibration = createCalibration([
  [0.3, 0.4],
  [0.37, 0.5],
  [0.88, 0.88],
  [0.95, 0.95],
])

interface Options {
  /** Default: the model's own. */
  calibration?: Calibration | undefined
  /** Default: the table that lies in the package. */
  load?: () => StaticModel
}

/**
 * The built-in model as a provider: always there, no request, no wait. Its file is read by the first call, as commands that
 * embed nothing need not wait for it.
 */
export function createStaticProvider({
  calibration = ownCalibration,
  load = loadStaticModel,
}: Options = {}): EmbeddingProvider {
  let loaded: StaticModel | undefined
  const model = (): StaticModel => {
    try {
      return (loaded ??= load())
    } catch {
      throw new EmbeddingError('unavailable', 'model_file')
    }
  }
  // Of all calls together: whoever embeds a long text makes many of them, one behind the other.
  const pause = pauses()
  return {
    id: modelId,
    isMeanOfWords: true,
    get dims() {
      return loaded?.dims
    },
    calibration,
    maxTokens: undefined,
    maxInputChars,
    batchSize,
    async embed(texts, kind, signal) {
      const vectors: (Float32Array | undefined)[] = []
      let tokens = 0
      for (const text of texts) {
        await pause()
        signal?.throwIfAborted()
        const cut = cutText(text, maxInputChars)
        const embedded = model().embed(cut)
        // Questions alone: the vectors of such texts still tell copies of them.
        vectors.push(kind === 'query' && !isMostlyLatin(cut) ? undefined : embedded.vector)
        tokens += embedded.tokens
      }
      return { vectors, tokens }
    },
  }
}

const letter = /\p{L}/u
const latin = /\p{Script=Latin}/u

/**
 * Whether at least half of a text's letters are Latin; true where it has no letters. One that is not says nothing to a model
 * whose table was made from English: it knows other scripts letter by letter. Linear.
 */
export function isMostlyLatin(text: string): boolean {
  let others = 0
  let all = 0
  for (const char of text) {
    if (!letter.test(char)) continue
    all++
    if (!latin.test(char)) others++
  }
  return others * 2 <= all
}

/**
 * WordPiece as BERT's uncased models cut it (Devlin et al. 2019, section 3; Wu et al. 2016): lower case, accents off, words
 * and single signs, each word cut greedily into the longest pieces of the vocabulary. A word that cannot be cut whole gives
 * nothing.
 */

/** Calls back with the row of each piece of the text, in order. Linear in the text, whatever it holds. */
export type WordPieces = (text: string, visit: (row: number) => void) => void

/** Longer words are no words. */
const maxWordChars = 100

// Signs, and the ideographs that BERT takes each for a word of its own.
const wordOrSign =
  /[\p{P}$+<=>^`|~\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]|[^\s\p{P}$+<=>^`|~\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]+/gu
// What is not seen is no part of a word. Nor is half a character.
const unseen = /[\p{Mn}\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu

export function createWordPieces(vocabulary: readonly string[]): WordPieces {
  const { findChild, rowOf } = buildTrie(vocabulary)
  const rows = new Int32Array(maxWordChars)

  /** Rows of the word's pieces into `rows`; returns how many, 0 where it cannot be cut. */
  function cutWord(word: string): number {
    let count = 0
    for (let start = 0; start < word.length;) {
      let node = start === 0 ? wordStart : wordInside
      let row = none
      let end = start
      for (let at = start; at < word.length; at++) {
        node = findChild(node, word.charCodeAt(at))
        if (node === none) break
        const found = rowOf[node] as number
        if (found !== none) [row, end] = [found, at + 1]
      }
      if (row === none) return 0
      rows[count++] = row
      start = end
    }
    return count
  }

  return (text, visit) => {
    for (const word of clean(text).match(wordOrSign) ?? []) {
      if (word.length > maxWordChars) continue
      const count = cutWord(word)
      for (let at = 0; at < count; at++) visit(rows[at] as number)
    }
  }
}

/**
 * Lower case, accents off. Each character is decomposed by itself: to put the marks of a whole text in order takes quadratic
 * time (100,000 marks: 26 s), and they go anyway.
 */
const clean = (text: string): string => text.toLowerCase().replaceAll(/[^ -~]/gu, cleanChar)

// White space among the control characters still parts words.
const cleanChar = (char: string): string =>
  '\t\n\r'.includes(char) ? ' ' : char.normalize('NFD').replaceAll(unseen, '')

const none = -1
// The roots: of what begins a word, and of what continues it (`##` in the vocabulary). All other nodes are slots, from 0 on.
const wordStart = -2
const wordInside = -3

interface Trie {
  /** The node that this character leads to, or `none`. */
  findChild(node: number, char: number): number
  /** By node: the row of the token that ends there, or `none`. */
  rowOf: Int32Array
}

/**
 * A node is its slot in one open hash table, found by its parent and its character: three flat arrays, 2.6 MB for 30,522
 * tokens. A Map from edges to nodes held a little more, left 10 MB of garbage when it was built, and took twice the time.
 */
function buildTrie(vocabulary: readonly string[]): Trie {
  const maxNodes = vocabulary.reduce((sum, token) => sum + token.length, 0)
  const hashBits = Math.ceil(Math.log2(maxNodes + 1))
  const parentOf = new Int32Array(2 ** hashBits).fill(none)
  const charOf = new Uint16Array(parentOf.length)
  const rowOf = new Int32Array(parentOf.length).fill(none)
  const lastSlot = parentOf.length - 1

  /** Where the child is, or the empty slot where it would be. */
  function findSlot(node: number, char: number): number {
    let slot = (Math.imul(node, 0x9e37_79b1) ^ Math.imul(char, 0x85eb_ca6b)) >>> (32 - hashBits)
    while (parentOf[slot] !== none && !(parentOf[slot] === node && charOf[slot] === char)) slot = (slot + 1) & lastSlot
    return slot
  }

  for (const [row, token] of vocabulary.entries()) {
    const isInside = token.length > 2 && token.startsWith('##')
    let node = isInside ? wordInside : wordStart
    for (let at = isInside ? 2 : 0; at < token.length; at++) {
      const slot = findSlot(node, token.charCodeAt(at))
      parentOf[slot] = node
      charOf[slot] = token.charCodeAt(at)
      node = slot
    }
    if (node >= 0) rowOf[node] = row
  }
  return {
    rowOf,
    findChild(node, char) {
      const slot = findSlot(node, char)
      return parentOf[slot] === none ? none : slot
    },
  }
}
