import type { ZipSink } from '@holdfast/transfer/write-archive'
import { crc32 } from './crc32.ts'
import { piecesOf } from './stream-pieces.ts'

/** Makes a zip file out of pieces. What is finished is handed to the browser, which keeps it outside of the page's memory. */

interface Written {
  name: Uint8Array
  crc: number
  compressedSize: number
  size: number
  offset: number
}

const handedOverBytes = 4 * 1024 * 1024
const maxZipBytes = 0xffff_fffe
const maxFiles = 0xfffe
/** Sizes stand behind each file; names are UTF-8. */
const flags = 0x0808
const deflated = 8
/** The first day of such times. */
const dosDate = 0x21

export class ZipWriter implements ZipSink {
  readonly #blobs: Blob[] = []
  #pieces: Uint8Array<ArrayBuffer>[] = []
  #pending = 0
  #bytes = 0
  readonly #files: Written[] = []

  /** What was made so far. */
  get bytes(): number {
    return this.#bytes
  }

  async add(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#files.length >= maxFiles)
      throw new Error('The vault holds too many notes for a browser; use the command line.')
    const name = new TextEncoder().encode(path)
    const offset = this.#bytes
    this.#push(
      fields(
        [4, 0x04034b50],
        [2, 20],
        [2, flags],
        [2, deflated],
        [2, 0],
        [2, dosDate],
        [4, 0],
        [4, 0],
        [4, 0],
        [2, name.length],
        [2, 0],
      ),
    )
    this.#push(name)
    const start = this.#bytes
    let [crc, size] = [0, 0]
    const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        const { done, value } = await walker.next()
        if (done === true) return controller.close()
        crc = crc32(value, crc)
        size += value.length
        controller.enqueue(value as Uint8Array<ArrayBuffer>)
      },
    })
    const walker = pieces[Symbol.asyncIterator]()
    for await (const piece of piecesOf(plain.pipeThrough(new CompressionStream('deflate-raw')))) this.#push(piece)
    const compressedSize = this.#bytes - start
    this.#push(fields([4, 0x08074b50], [4, crc], [4, compressedSize], [4, size]))
    this.#files.push({ name, crc, compressedSize, size, offset })
  }

  end(): void {
    const offset = this.#bytes
    for (const { name, crc, compressedSize, size, offset: at } of this.#files) {
      const versions = fields([4, 0x02014b50], [2, 0x031e], [2, 20], [2, flags], [2, deflated], [2, 0], [2, dosDate])
      this.#push(versions)
      const mode = 0o100600 * 0x10000
      this.#push(
        fields(
          [4, crc],
          [4, compressedSize],
          [4, size],
          [2, name.length],
          [2, 0],
          [2, 0],
          [2, 0],
          [2, 0],
          [4, mode],
          [4, at],
        ),
      )
      this.#push(name)
    }
    const count = this.#files.length
    const length = this.#bytes - offset
    this.#push(fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, offset], [2, 0]))
  }

  toBlob(): Blob {
    this.#handOver()
    return new Blob(this.#blobs, { type: 'application/zip' })
  }

  #push(piece: Uint8Array): void {
    this.#pieces.push(piece as Uint8Array<ArrayBuffer>)
    this.#pending += piece.length
    this.#bytes += piece.length
    if (this.#bytes > maxZipBytes) throw new Error('The export is larger than 4 GB: use the command line.')
    if (this.#pending >= handedOverBytes) this.#handOver()
  }

  #handOver(): void {
    this.#blobs.push(new Blob(this.#pieces))
    this.#pieces = []
    this.#pending = 0
  }
}

/** Numbers of so many bytes each, the least first. */
function fields(...parts: [bytes: 2 | 4, value: number][]): Uint8Array {
  const view = new DataView(new ArrayBuffer(parts.reduce((total, [bytes]) => total + bytes, 0)))
  let at = 0
  for (const [bytes, value] of parts) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}
