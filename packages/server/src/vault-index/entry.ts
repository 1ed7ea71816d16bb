import { ByteReader, ByteWriter } from './bytes.ts'

/**
 * What one record gives to the index, and its byte form, which is sealed before it is stored. Words are keyed tags:
 * even the opened entry holds no text. The tags are listed once; header and text are sequences of places in that list,
 * so that counts and neighbours are known.
 */
export interface Entry {
  /** Distinct keyed tags, 8 bytes each. */
  tags: Uint8Array
  /** Header words, as places in `tags`; the first `speakerWords` of them name the speaker. */
  header: Uint32Array
  speakerWords: number
  /** Words of the text in order, as places in `tags`. */
  text: Uint32Array
  /** Keyed tag of the agent run that the record belongs to, 8 bytes. */
  run: Uint8Array | undefined
  /** Keyed tags of whole entity names, 8 bytes each: for filters, not for ranking. */
  entities: Uint8Array
  vectors: EntryVectors | undefined
}

/** One int8 row and one scale for each chunk of the text, all of the same model. */
export interface EntryVectors {
  modelId: string
  dims: number
  scales: Float32Array
  rows: Int8Array
}

const formatVersion = 1
export const tagBytes = 8
export const maxDims = 4096
const maxModelIdBytes = 1000

export function encodeEntry(entry: Entry): Uint8Array {
  const out = new ByteWriter()
  out.byte(formatVersion)
  out.byte((entry.run === undefined ? 0 : 1) | (entry.vectors === undefined ? 0 : 2))
  out.number(entry.tags.length / tagBytes)
  out.raw(entry.tags)
  out.numbers(entry.header)
  out.number(entry.speakerWords)
  out.numbers(entry.text)
  if (entry.run !== undefined) out.raw(entry.run)
  out.number(entry.entities.length / tagBytes)
  out.raw(entry.entities)
  if (entry.vectors !== undefined) encodeVectors(out, entry.vectors)
  return out.finish()
}

function encodeVectors(out: ByteWriter, vectors: EntryVectors): void {
  const modelId = new TextEncoder().encode(vectors.modelId)
  out.number(modelId.length)
  out.raw(modelId)
  out.number(vectors.dims)
  out.number(vectors.scales.length)
  out.raw(littleEndianFloats(vectors.scales))
  out.raw(new Uint8Array(vectors.rows.buffer, vectors.rows.byteOffset, vectors.rows.length))
}

function littleEndianFloats(values: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4))
  values.forEach((value, i) => view.setFloat32(i * 4, value, true))
  return new Uint8Array(view.buffer)
}

/** Throws where the bytes are not exactly what `encodeEntry` writes in the known version. */
export function decodeEntry(bytes: Uint8Array): Entry {
  const from = new ByteReader(bytes, 'index entry')
  const version = from.byte()
  if (version !== formatVersion) from.fail(`unknown version ${version}`)
  const flags = from.byte()
  if (flags > 3) from.fail('unknown flags')
  const tagCount = from.number()
  const tags = from.raw(tagCount * tagBytes)
  const header = from.numbers(tagCount)
  const speakerWords = from.number()
  if (speakerWords > header.length) from.fail('more speaker words than header words')
  const text = from.numbers(tagCount)
  const run = flags & 1 ? from.raw(tagBytes) : undefined
  const entities = from.raw(from.number() * tagBytes)
  const vectors = flags & 2 ? decodeVectors(from) : undefined
  if (from.left > 0) from.fail('bytes left over')
  return { tags, header, speakerWords, text, run, entities, vectors }
}

function decodeVectors(from: ByteReader): EntryVectors {
  const idLength = from.number()
  if (idLength > maxModelIdBytes) from.fail('model id too long')
  const modelId = new TextDecoder().decode(from.raw(idLength))
  const dims = from.number()
  if (dims < 1 || dims > maxDims) from.fail('vector length out of range')
  const count = from.number()
  if (count * (dims + 4) > from.left) from.fail('ends too early')
  const floats = from.raw(count * 4)
  const view = new DataView(floats.buffer)
  const scales = Float32Array.from({ length: count }, (_, i) => view.getFloat32(i * 4, true))
  if (!scales.every((scale) => scale >= 0 && scale < 1)) from.fail('vector scale out of range')
  return { modelId, dims, scales, rows: new Int8Array(from.raw(count * dims).buffer) }
}
