import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256InPieces } from '../crypto/hash.ts'
import { findFamily, type Family } from './model-families.ts'

/** Inspects the folder of a model for @huggingface/transformers before it is loaded. */

const descriptions = ['config.json', 'tokenizer.json']

/** Not for a folder, or for a file that only other users may read: reading those would throw. */
function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The file with the weights, the quantized one if there are both; undefined if none can be read. */
const findWeights = (folder: string): string | undefined =>
  ['model_quantized.onnx', 'model.onnx'].map((file) => join(folder, 'onnx', file)).find(isReadableFile)

/** A file with a JSON object; undefined if it is missing or something else. */
export function readJson(path: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** By the folder's name, or the one that the model had when it was saved: folders are often called `model`. */
export function findFolderFamily(folder: string): Family | undefined {
  const saved = readJson(join(folder, 'config.json'))?.['_name_or_path']
  return findFamily(basename(folder)) ?? (typeof saved === 'string' ? findFamily(saved) : undefined)
}

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
  seen.update(readPiece(weights, Math.floor(size / 2), comparedBytes))
  return `${basename(folder)}-${seen.digest().toString('hex').slice(0, 8)}`
}

function readPiece(path: string, from: number, bytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.alloc(bytes)
    return piece.subarray(0, readSync(file, piece, 0, bytes, from))
  } finally {
    closeSync(file)
  }
}

/** Whether all files that loading needs can be read. */
export const isModelFolder = (folder: string): boolean =>
  descriptions.every((file) => isReadableFile(join(folder, file))) && findWeights(folder) !== undefined

/** Outputs are at the end of the file, after the weights. Only the shapes of tensors may follow, some hundred kilobytes. */
const searchedBytes = 1024 * 1024

/**
 * Whether the model has an output of this name, without loading it. In the file (onnx.proto), names are preceded by their field and
 * their length.
 */
export function hasOutput(folder: string, name: string): boolean {
  const weights = findWeights(folder)
  if (weights === undefined) return false
  const from = Math.max(0, statSync(weights).size - searchedBytes)
  return readPiece(weights, from, searchedBytes).includes(Buffer.from(`\n${String.fromCharCode(name.length)}${name}`))
}
