import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWordPieces } from './word-pieces.ts'

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
