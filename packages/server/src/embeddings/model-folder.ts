import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256InPieces } from '../crypto/hash.ts'

/** Inspects the folder of a model for @huggingface/transformers before it is loaded. */

const descriptions = ['config.json', 'tokenizer.json']

/** The file with the weights, the quantized one if there are both; undefined if there is none. */
const findWeights = (folder: string): string | undefined =>
  ['model_quantized.onnx', 'model.onnx'].map((file) => join(folder, 'onnx', file)).find((path) => existsSync(path))

const comparedBytes = 65_536

/**
 * The folder's name and eight characters that identify its content, because two models may be in folders of the same name. Hashes the
 * descriptions, and of the weights only the size and a piece from the middle, since reading all takes a second. Only the folder's name
 * while files are missing.
 */
export function nameModel(folder: string): string {
  const weights = findWeights(folder)
  if (weights === undefined || !isModelFolder(folder)) return basename(folder)
  const { size } = statSync(weights)
  const seen = sha256InPieces()
  for (const file of descriptions) seen.update(readFileSync(join(folder, file)))
  seen.update(`${basename(weights)} ${size}`)
  seen.update(readPiece(weights, Math.floor(size / 2)))
  return `${basename(folder)}-${seen.digest().toString('hex').slice(0, 8)}`
}

function readPiece(path: string, from: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.alloc(comparedBytes)
    return piece.subarray(0, readSync(file, piece, 0, comparedBytes, from))
  } finally {
    closeSync(file)
  }
}

const isModelFolder = (folder: string): boolean =>
  descriptions.every((file) => existsSync(join(folder, file))) && findWeights(folder) !== undefined

/** Why the folder can't be used: files are missing, or the model was trained with another pooling. */
export function findFault(folder: string): 'model_folder' | 'model_pooling' | undefined {
  if (!isModelFolder(folder)) return 'model_folder'
  return poolsMeans(folder) ? undefined : 'model_pooling'
}

/**
 * Whether the model uses mean pooling, which is all that run-model.ts supports, according to the file that sentence-transformers adds to
 * its models. True without that file.
 */
function poolsMeans(folder: string): boolean {
  const path = join(folder, '1_Pooling/config.json')
  if (!existsSync(path)) return true
  try {
    const config = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    // Either a flag for each mode, or the name of one.
    const ways = Object.entries(config).flatMap(([key, value]) => {
      if (!key.startsWith('pooling_mode') || value === false) return []
      return typeof value === 'string' ? [value] : [key]
    })
    return ways.length === 1 && (ways[0] === 'mean' || ways[0] === 'pooling_mode_mean_tokens')
  } catch {
    return false
  }
}
