import { Readable, type PassThrough } from 'node:stream'
import { writeArchive, type ArchiveOptions, type ZipSink } from '@holdfast/transfer/write-archive'
import { ZipFile } from 'yazl'

/** The archive of a vault as a zip file. If a page of records can't be read, both `bytes` and `counts` end with its error. */
export function streamArchive(options: ArchiveOptions): {
  bytes: AsyncIterable<Uint8Array>
  counts: Promise<Record<string, number>>
} {
  const file = new ZipFile()
  const bytes = file.outputStream as PassThrough
  const zip: ZipSink = {
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
  }
  const counts = writeArchive(zip, options).then((manifest): Record<string, number> => manifest.counts)
  // Who reads the bytes first stops at their error and never awaits the counts, whose rejection would end the process.
  counts.catch((error: unknown) => void bytes.destroy(error instanceof Error ? error : new Error(String(error))))
  return { bytes, counts }
}
