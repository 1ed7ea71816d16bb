import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedSteps } from '../core/in-pieces.ts'
import { assetsFolder } from '../core/program.ts'
import { createCalibration, type Calibration } from './calibration.ts'
import { cutText, EmbeddingError, type EmbeddingProvider } from './provider.ts'

/**
 * The built-in model: a table with a row of numbers for each word piece. A text's vector is the mean of its pieces' rows, normalized to
 * length 1. scripts/model creates such a table; NOTICE says what this one was made from.
 */
export interface StaticModel {
  dims: number
  /** The vector is undefined if the table knows none of the text's pieces. */
  embed(text: string): { vector: Float32Array | undefined; tokens: number }
}

const magic = 'HFE1'
const headerBytes = 16

const modelPath = join(assetsFolder, 'static-256.bin')

/** Loads the table in the package, which takes about 30 ms and 16 MB. */
export const loadStaticModel = (): StaticModel => readStaticModel(readFileSync(modelPath))

/**
 * `"HFE1"` · uint32 rows · uint32 dims · uint32 bytes of vocabulary · vocabulary (UTF-8, a token a line, padded with spaces
 * to a multiple of 4) · float32 scale × rows · int8 rows × dims; little endian. A number is its int8 times its row's scale.
 */
export function readStaticModel(file: Buffer): StaticModel {
  const { rowCount, dims, scalesAt, rowsAt } = readHeader(file, file.length)
  const vocabulary = file.toString('utf8', headerBytes, scalesAt).trimEnd().split('\n')
  if (vocabulary.length !== rowCount) throw new Error('The table of vectors must have one row for each token')
  // A copy, because a view would have to be aligned to four bytes.
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

/** Throws if a file of this size can't be complete. */
function readHeader(start: Buffer, size: number) {
  if (start.length < headerBytes || start.toString('latin1', 0, 4) !== magic) throw new Error('Not a table of vectors')
  const [rowCount, dims, vocabularyBytes] = [start.readUInt32LE(4), start.readUInt32LE(8), start.readUInt32LE(12)]
  const scalesAt = headerBytes + vocabularyBytes
  const rowsAt = scalesAt + rowCount * 4
  if (size !== rowsAt + rowCount * dims) throw new Error('The table of vectors is truncated')
  return { rowCount, dims, scalesAt, rowsAt }
}

/** Returns the dims of the table, or throws if it can't be complete. Reads its header only: a server that embeds nothing doesn't need the 16 MB. */
export async function checkModelFile(path = modelPath): Promise<number> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    return readHeader(buffer.subarray(0, bytesRead), (await file.stat()).size).dims
  } finally {
    await file.close()
  }
}

/** A separate function with local arrays, four doubles per iteration: 130 rows, as for 100 words, take 31 µs; one at a time 44, floats 40. */
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

/** Another table must get another name. */
const modelId = 'static/holdfast-256-1'
const maxInputChars = 20_000
const batchSize = 32

/**
 * The default thresholds for memories and notes, 0.4 and 0.5, are where most of this model's noise ends: excluding cosines below 0.30 and
 * 0.37 cost at most 0.2 points of recall@10 on five sets without paraphrases, 0.40 up to 1.1. The thresholds of dedup, 0.88 and 0.95, are fitted
 * (scripts/fit-calibration.ts) on the 8,628 English pairs of the STS benchmark, where the model has Spearman 0.77; the same fit gives
 * 0.29 and 0.37 for the other two.
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
  /** Default: the table in the package. */
  load?: () => StaticModel
  /** Returns the dims. Default: reads the header of that table. */
  check?: () => Promise<number>
}

/** The built-in model as a provider, without requests. The first call reads the file, so commands that embed nothing start faster. */
export function createStaticProvider({
  calibration = ownCalibration,
  load = loadStaticModel,
  check = checkModelFile,
}: Options = {}): EmbeddingProvider {
  let loaded: StaticModel | undefined
  let checkedDims: number | undefined
  const model = (): StaticModel => {
    try {
      return (loaded ??= load())
    } catch {
      throw new EmbeddingError('unavailable', 'model_file')
    }
  }
  // Shared by all calls, because a long text takes many calls in a row. Questions are short, or have had a turn (search-vault.ts).
  const inOrder = sharedSteps()
  return {
    id: modelId,
    isMeanOfWords: true,
    get dims() {
      return loaded?.dims ?? checkedDims
    },
    calibration,
    maxTokens: undefined,
    maxInputChars,
    batchSize,
    async check() {
      checkedDims = await check().catch(() => {
        throw new EmbeddingError('unavailable', 'model_file')
      })
    },
    async embed(texts, kind, signal) {
      const vectors: (Float32Array | undefined)[] = []
      let tokens = 0
      for (const text of texts) {
        const cut = cutText(text, maxInputChars)
        const embedCut = () => {
          signal?.throwIfAborted()
          return model().embed(cut)
        }
        const embedded = kind === 'query' ? embedCut() : await inOrder(embedCut)
        // Only for questions: the vectors of stored texts still find copies.
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
 * Whether at least half of the letters are Latin; true without letters. A table made from English knows other scripts only letter by
 * letter. Takes linear time.
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
 * WordPiece as in BERT's uncased models (Devlin et al. 2019, section 3; Wu et al. 2016): lower case without accents, split into words and
 * single signs, each word cut greedily into the longest pieces of the vocabulary. A word that can't be cut completely has no pieces.
 * Visits the row of each piece in order. Takes linear time on any text.
 */
export type WordPieces = (text: string, visit: (row: number) => void) => void

/** Longer words are noise. */
const maxWordChars = 100

// Signs, and the ideographs that BERT treats as single words.
const wordOrSign =
  /[\p{P}$+<=>^`|~\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]|[^\s\p{P}$+<=>^`|~\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]+/gu
// Invisible characters and lone surrogates aren't part of words.
const unseen = /[\p{Mn}\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu

export function createWordPieces(vocabulary: readonly string[]): WordPieces {
  const { findChild, rowOf } = buildTrie(vocabulary)
  const rows = new Int32Array(maxWordChars)

  /** Writes the rows of the word's pieces to `rows`. Returns how many, 0 if it can't be cut. */
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
 * Lower case without accents. Decomposes each character separately, because ordering the marks of a whole text takes quadratic time
 * (100,000 marks: 26 s), and they are dropped anyway.
 */
const clean = (text: string): string => text.toLowerCase().replaceAll(/[^ -~]/gu, cleanChar)

// White space among the control characters still separates words.
const cleanChar = (char: string): string =>
  '\t\n\r'.includes(char) ? ' ' : char.normalize('NFD').replaceAll(unseen, '')

const none = -1
// The roots for pieces that begin a word and pieces that continue it (`##` in the vocabulary). All other nodes are slots, from 0.
const wordStart = -2
const wordInside = -3

interface Trie {
  /** The node that this character leads to, or `none`. */
  findChild(node: number, char: number): number
  /** By node: the row of the token that ends there, or `none`. */
  rowOf: Int32Array
}

/**
 * A node is its slot in one open hash table, found by its parent and character: three flat arrays, 2.6 MB for 30,522 tokens. A Map from
 * edges to nodes took slightly more memory, left 10 MB of garbage when built, and took twice the time.
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
