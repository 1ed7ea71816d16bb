import { byPath, concatBytes, maxReadBytes, refuseBomb, SourceError, type SourceFile } from '@holdfast/transfer/source'
import { crc32 } from './crc32.ts'
import { piecesOf } from './stream-pieces.ts'

/**
 * Reads a zip file where it lies: its directory first, then of each file what is asked for. What a file claims of itself is
 * checked. Zip files of more than 4 GB, encrypted ones and other ways of compression are refused.
 */

const directoryEnd = 0x06054b50
const directoryEntry = 0x02014b50
const localHeader = 0x04034b50
const maxCommentBytes = 65_535
const endBytes = 22
const entryBytes = 46
const localBytes = 30
const inZip64 = 0xffff_ffff
const stored = 0
const deflated = 8

/** Small files are cut out of pieces of this size: a browser takes a millisecond and more for each time that it reads a file. */
const windowBytes = 4 * 1024 * 1024

/** Reads so many bytes from a place on; fewer where it ends. */
type Read = (start: number, length: number) => Promise<Uint8Array>

function readAhead(blob: Blob): Read {
  let held = { from: 0, bytes: new Uint8Array() }
  return async (start, length) => {
    if (start < held.from || start + length > held.from + held.bytes.length) {
      const piece = blob.slice(start, start + Math.max(length, windowBytes))
      held = { from: start, bytes: new Uint8Array(await piece.arrayBuffer()) }
    }
    return held.bytes.subarray(start - held.from, start - held.from + length)
  }
}

interface Entry {
  fileName: string
  method: number
  crc: number
  compressedSize: number
  uncompressedSize: number
  modifiedAt: number
  localOffset: number
}

export async function readZip(zip: Blob): Promise<SourceFile[]> {
  const read = readAhead(zip)
  const files: SourceFile[] = []
  const paths = new Set<string>()
  let total = 0
  for (const entry of await entriesOf(zip)) {
    const { fileName } = entry
    if (fileName.endsWith('/')) continue
    refuseName(fileName)
    if (paths.has(fileName)) throw new SourceError(`The zip file holds two files that are called ${fileName}.`)
    paths.add(fileName)
    total += entry.uncompressedSize
    refuseBomb(entry, total, files.length)
    files.push(fileOf(zip, read, entry))
  }
  return files.toSorted(byPath)
}

const broken = (why: string) => new SourceError(`The zip file cannot be read: ${why}.`)

function refuseName(name: string): void {
  const leadsOut =
    name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name) || name.split('/').includes('..')
  if (leadsOut) throw broken(`it holds a file with the name ${name}`)
}

function viewOf(bytes: Uint8Array, length: number): DataView {
  if (bytes.length < length) throw broken('it is cut off')
  return new DataView(bytes.buffer, bytes.byteOffset, length)
}

const readView = async (blob: Blob, start: number, length: number): Promise<DataView> =>
  viewOf(new Uint8Array(await blob.slice(start, start + length).arrayBuffer()), length)

async function entriesOf(zip: Blob): Promise<Entry[]> {
  const { count, size, offset } = await findDirectory(zip)
  const view = await readView(zip, offset, size)
  const entries: Entry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + entryBytes > size || view.getUint32(at, true) !== directoryEntry) throw broken('its directory is damaged')
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    entries.push(entryAt(view, at, nameBytes ?? 0))
    at += entryBytes + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
  return entries
}

async function findDirectory(zip: Blob): Promise<{ count: number; size: number; offset: number }> {
  const length = Math.min(zip.size, endBytes + maxCommentBytes)
  if (length < endBytes) throw broken('it is too short')
  const view = await readView(zip, zip.size - length, length)
  for (let at = length - endBytes; at >= 0; at--) {
    if (view.getUint32(at, true) !== directoryEnd) continue
    const [count, size, offset] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ]
    if (offset === inZip64 || count === 0xffff) throw broken('it is too large for a browser; use the command line')
    return { count, size, offset }
  }
  throw broken('it has no directory')
}

function entryAt(view: DataView, at: number, nameBytes: number): Entry {
  const flags = view.getUint16(at + 8, true)
  const fileName = nameOf(new Uint8Array(view.buffer, at + entryBytes, nameBytes))
  const method = view.getUint16(at + 10, true)
  if ((flags & 1) === 1) throw broken(`${fileName} is encrypted`)
  if (method !== stored && method !== deflated) throw broken(`${fileName} is compressed in a way that is not known`)
  return {
    fileName,
    method,
    crc: view.getUint32(at + 16, true),
    compressedSize: view.getUint32(at + 20, true),
    uncompressedSize: view.getUint32(at + 24, true),
    modifiedAt: momentOf(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
    localOffset: view.getUint32(at + 42, true),
  }
}

function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

/** As MS-DOS had it, in local time. */
const momentOf = (date: number, time: number): number =>
  new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  ).getTime()

function fileOf(zip: Blob, read: Read, entry: Entry): SourceFile {
  const { fileName, uncompressedSize, modifiedAt } = entry
  const stream = async () => checkedPieces(entry, await openEntry(zip, read, entry))
  return {
    path: fileName,
    bytes: uncompressedSize,
    modifiedAt,
    stream,
    async read() {
      if (uncompressedSize > maxReadBytes) throw new SourceError(`${fileName} is larger than ${maxReadBytes} bytes.`)
      const pieces: Uint8Array[] = []
      for await (const piece of await stream()) pieces.push(piece)
      return concatBytes(pieces)
    },
  }
}

async function openEntry(
  zip: Blob,
  read: Read,
  { localOffset, compressedSize, method }: Entry,
): Promise<ReadableStream<Uint8Array>> {
  const header = viewOf(await read(localOffset, localBytes), localBytes)
  if (header.getUint32(0, true) !== localHeader) throw broken('it is damaged')
  const start = localOffset + localBytes + header.getUint16(26, true) + header.getUint16(28, true)
  const raw: ReadableStream<Uint8Array> =
    compressedSize > windowBytes
      ? zip.slice(start, start + compressedSize).stream()
      : streamOf(await read(start, compressedSize))
  // The types of streams know more of memory than is the same everywhere.
  return method === stored
    ? raw
    : raw.pipeThrough(new DecompressionStream('deflate-raw') as ReadableWritablePair<Uint8Array, Uint8Array>)
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })

async function* checkedPieces(
  { fileName, uncompressedSize, crc }: Entry,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let [bytes, sum] = [0, 0]
  const damaged = () => new SourceError(`${fileName} cannot be read: it is damaged.`)
  try {
    for await (const piece of piecesOf(stream)) {
      bytes += piece.length
      // More than it claims may be more than there is room for.
      if (bytes > uncompressedSize) throw damaged()
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (error) {
    throw error instanceof SourceError ? error : damaged()
  }
  if (bytes !== uncompressedSize || sum !== crc) throw damaged()
}
