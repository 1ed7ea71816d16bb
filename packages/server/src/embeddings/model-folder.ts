import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256InPieces } from '../crypto/hash.ts'

/** What is in the folder of a model for @huggingface/transformers, before anything loads it. */

const descriptions = ['config.json', 'tokenizer.json']

/** The model's numbers: the small ones where the folder has both; undefined where it has neither. */
const findWeights = (folder: string): string | undefined =>
  ['model_quantized.onnx', 'model.onnx'].map((file) => join(folder, 'onnx', file)).find((path) => existsSync(path))

const comparedBytes = 65_536

/**
 * The folder's name and eight characters for what lies in it, as two models may lie in folders of one name: the descriptions, and of the
 * numbers their count and a piece from the middle, since reading all of them takes a second. The name alone while files are missing.
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

/** What keeps the folder from being used: files are missing, or vectors would be made in another way than the model was taught. */
export function findFault(folder: string): 'model_folder' | 'model_pooling' | undefined {
  if (!isModelFolder(folder)) return 'model_folder'
  return poolsMeans(folder) ? undefined : 'model_pooling'
}

/**
 * Whether a text's vector is the mean of its tokens' vectors, as sentence-transformers describes it beside its models; run-model.ts makes no
 * other. Taken to be so where nothing describes it.
 */
function poolsMeans(folder: string): boolean {
  const path = join(folder, '1_Pooling/config.json')
  if (!existsSync(path)) return true
  try {
    const config = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    // Either a flag for each way, or the name of one.
    const ways = Object.entries(config).flatMap(([key, value]) => {
      if (!key.startsWith('pooling_mode') || value === false) return []
      return typeof value === 'string' ? [value] : [key]
    })
    return ways.length === 1 && (ways[0] === 'mean' || ways[0] === 'pooling_mode_mean_tokens')
  } catch {
    return false
  }
}
