import { Readable, type PassThrough } from 'node:stream'
import { writeArchive, type ArchiveOptions, type ZipSink } from '@holdfast/transfer/write-archive'
import { ZipFile } from 'yazl'

/** A zip file as a stream of bytes. If filling it fails, call `fail` to end the stream. */
function writeZip(): { zip: ZipSink; bytes: AsyncIterable<Uint8Array>; fail(error: unknown): void } {
  const file = new ZipFile()
  const output = file.outputStream as PassThrough
  return {
    bytes: output,
    fail: (error) => void output.destroy(error instanceof Error ? error : new Error(String(error))),
    zip: {
      add: (path, pieces) =>
        new Promise((done, fail) => {
          file.addReadStreamLazy(path, { mtime: new Date(0), mode: 0o100600 }, (give) => {
            const stream = Readable.from(pieces, { objectMode: false })
            stream.on('end', done)
            stream.on('error', fail)
            give(null, stream)
          })
        }),
      end: () => file.end(),
    },
  }
}

/** The archive of a vault. If a page of records can't be read, both `bytes` and `counts` end with its error. */
export function streamArchive(options: ArchiveOptions) {
  const { zip, bytes, fail } = writeZip()
  const counts = writeArchive(zip, options).then((manifest): Record<string, number> => manifest.counts)
  // Who reads the bytes first stops at their error and never awaits the counts, whose rejection would end the process.
  counts.catch(fail)
  return { bytes, counts }
}
