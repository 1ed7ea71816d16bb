import { byPath, concatBytes, maxReadBytes, refuseBomb, SourceError, type SourceFile } from '@holdfast/transfer/source'
import type { ZipSink } from '@holdfast/transfer/write-archive'
import { Reader, ZipReader, ZipWriter, type Entry, type FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js'

/** The browser reads and writes parts of this size. */
const partBytes = 4 * 1024 * 1024
// zip.js starts its workers from data URLs, which the page's policy forbids.
const inThisThread = { useWebWorkers: false }
const [stored, deflated] = [0, 8]

/**
 * Lists the files in a zip file. Only its directory is read; the content of a file is read when it is requested, and checked against
 * what the directory says about it. All errors are SourceErrors.
 */
export async function readZip(zip: Blob): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const paths = new Set<string>()
  let total = 0
  for (const entry of await listEntries(zip)) {
    const { filename } = entry
    if (entry.directory) continue
    refuseEntry(entry)
    if (paths.has(filename)) throw new SourceError(`The zip file contains two files with the name ${filename}.`)
    paths.add(filename)
    total += entry.uncompressedSize
    refuseBomb({ ...sizesOf(entry), fileName: filename }, total, files.length)
    files.push(openEntry(entry))
  }
  return files.toSorted(byPath)
}

async function listEntries(zip: Blob): Promise<Entry[]> {
  try {
    return await new ZipReader(new PartReader(zip), { ...inThisThread, checkCrc32: true }).getEntries()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw broken(`it is damaged, cut off, or not a zip file (${why})`)
  }
}

/** Reads ahead in large parts, because a browser takes a millisecond or more for each read of a file. */
class PartReader extends Reader<Blob> {
  readonly #blob: Blob
  #part = { from: 0, bytes: new Uint8Array() }

  constructor(blob: Blob) {
    super(blob)
    this.#blob = blob
    this.size = blob.size
  }

  override async readUint8Array(start: number, length: number): Promise<Uint8Array> {
    const { from, bytes } = this.#part
    if (start < from || start + length > from + bytes.length) {
      const part = this.#blob.slice(start, start + Math.max(length, partBytes))
      this.#part = { from: start, bytes: new Uint8Array(await part.arrayBuffer()) }
    }
    const at = start - this.#part.from
    // A copy, because the reader may change or transfer what it gets.
    return this.#part.bytes.slice(at, at + length)
  }
}

const broken = (why: string) => new SourceError(`The zip file can’t be read: ${why}.`)

function refuseEntry({ filename, encrypted, compressionMethod }: Entry): void {
  const leadsOut =
    filename.startsWith('/') ||
    filename.includes('\\') ||
    /^[a-z]:/i.test(filename) ||
    filename.split('/').includes('..')
  if (leadsOut) throw broken(`it contains a file with the unsafe name ${filename}`)
  if (encrypted) throw broken(`${filename} is encrypted`)
  if (compressionMethod !== stored && compressionMethod !== deflated)
    throw broken(`${filename} uses a compression method that browsers don’t support`)
}

const sizesOf = ({ compressedSize, uncompressedSize }: Entry) => ({ compressedSize, uncompressedSize })

function openEntry(entry: FileEntry): SourceFile {
  const { filename, uncompressedSize, lastModDate } = entry
  return {
    path: filename,
    bytes: uncompressedSize,
    modifiedAt: lastModDate.getTime(),
    stream: async () => checkedPieces(entry),
    async read() {
      if (uncompressedSize > maxReadBytes) throw new SourceError(`${filename} is larger than ${maxReadBytes} bytes.`)
      const pieces: Uint8Array[] = []
      for await (const piece of checkedPieces(entry)) pieces.push(piece)
      return concatBytes(pieces)
    },
  }
}

async function* checkedPieces(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const leaving = new AbortController()
  const written = entry.getData(writable, { ...inThisThread, signal: leaving.signal })
  // A failure before the first piece does not end the stream, so each read also waits for it.
  const failure = written.then(() => new Promise<never>(() => {}))
  failure.catch(() => {})
  const reader = readable.getReader()
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), failure])
      if (done) break
      bytes += value.length
      // Stops early, because there may be no room for more than the directory promised.
      if (bytes > entry.uncompressedSize) throw new Error('too long')
      yield value
    }
    await written
    if (bytes !== entry.uncompressedSize) throw new Error('too short')
  } catch {
    throw new SourceError(`${entry.filename} can’t be read: it is damaged.`)
  } finally {
    leaving.abort()
    void reader.cancel().catch(() => {})
  }
}

/** The pieces of a stream. Not every browser can iterate over one. */
export async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Writes a zip file. Finished parts are handed to the browser, which keeps them outside the page's memory. */
export class ZipFile implements ZipSink {
  readonly #blobs: Blob[] = []
  #pieces: Uint8Array<ArrayBuffer>[] = []
  #pending = 0
  #bytes = 0
  readonly #zip = new ZipWriter(new WritableStream({ write: (piece: Uint8Array<ArrayBuffer>) => this.#write(piece) }), {
    ...inThisThread,
    // The earliest date of the format: the export says in its own files when it was made.
    lastModDate: new Date(1980, 0, 1),
    extendedTimestamp: false,
  })

  /** The size so far. */
  get bytes(): number {
    return this.#bytes
  }

  async add(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    // The actual size is measured. Any size under 4 GB makes the file readable for programs without zip64.
    await this.#zip.add(path, streamOf(pieces), { uncompressedSize: 0 })
  }

  async end(): Promise<void> {
    await this.#zip.close()
  }

  toBlob(): Blob {
    this.#finishPart()
    return new Blob(this.#blobs, { type: 'application/zip' })
  }

  #write(piece: Uint8Array<ArrayBuffer>): void {
    this.#pieces.push(piece.slice())
    this.#pending += piece.length
    this.#bytes += piece.length
    if (this.#pending >= partBytes) this.#finishPart()
  }

  #finishPart(): void {
    this.#blobs.push(new Blob(this.#pieces))
    this.#pieces = []
    this.#pending = 0
  }
}

function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
