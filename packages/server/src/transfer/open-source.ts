import { access, constants, open, readdir, stat, type FileHandle } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  byPath,
  inTurns,
  maxFiles,
  maxReadBytes,
  refuseBomb,
  SourceError,
  unreadableFile,
  type Source,
  type SourceFile,
} from '@holdfast/transfer/source'
import { fromRandomAccessReaderPromise, openPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { BoxError, isBox, openBox, type OpenBox } from '../crypto/passphrase-box.ts'

/** Opens what an import reads: a folder, a zip file, an encrypted one, or a single file. */

/** Calls `askPassphrase` only for an encrypted file. Default for `name`: the folder's or file's name without its ending. */
export async function openSource(
  path: string,
  askPassphrase: () => Promise<string>,
  name: string = basename(resolve(path)).replace(/\.(zip|hfx)$/i, ''),
): Promise<Source> {
  return { name, ...(await openFiles(path, askPassphrase)) }
}

type Opened = Omit<Source, 'name'>

async function openFiles(path: string, askPassphrase: () => Promise<string>): Promise<Opened> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new SourceError(`File or folder not found: ${path}.`, { isMissing: true })
  if (found.isDirectory()) return { ...(await filesIn(path)), close: async () => {} }
  // A pipe may never end.
  if (!found.isFile()) throw new SourceError(`${path} is neither a file nor a folder.`)
  const handle = await open(path).catch((error: unknown) => {
    throw unreadableFile(path, error)
  })
  const start = Buffer.alloc(8)
  await handle.read(start, 0, 8, 0)
  if (isBox(start)) return openEncrypted(handle, found.size, askPassphrase)
  await handle.close()
  const isZip = start.subarray(0, 2).toString('latin1') === 'PK'
  if (isZip) return openZip(await openPromise(path, { autoClose: false }).catch(refuseBroken))
  return { files: [plainFile(path, basename(path), found)], close: async () => {} }
}

async function filesIn(folder: string): Promise<{ files: SourceFile[]; unreadable: string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  // Symbolic links are not followed, as they may lead anywhere.
  const files = entries.filter((entry) => entry.isFile())
  if (files.length > maxFiles) throw new SourceError(`${folder} contains more than ${maxFiles} files.`)
  const unreadable: string[] = []
  const listed = await inTurns(files, async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    const shown = relative(folder, path).split(sep).join('/')
    try {
      await access(path, constants.R_OK)
      return plainFile(path, shown, await stat(path))
    } catch {
      unreadable.push(shown)
      return undefined
    }
  })
  return { files: listed.filter((file) => file !== undefined).toSorted(byPath), unreadable: unreadable.toSorted() }
}

const plainFile = (path: string, shown: string, { size, mtimeMs }: { size: number; mtimeMs: number }): SourceFile =>
  readable({
    path: shown,
    bytes: size,
    modifiedAt: Math.floor(mtimeMs),
    stream: async () => createReadStream(path),
  })

function readable(file: Omit<SourceFile, 'read'>): SourceFile {
  const stream = async () => Readable.from(piecesIn(file), { objectMode: false })
  return {
    ...file,
    stream,
    async read() {
      if (file.bytes > maxReadBytes) throw new SourceError(`${file.path} is larger than ${maxReadBytes} bytes.`)
      return buffer(await stream())
    },
  }
}

/** Errors name the file. */
async function* piecesIn({ path, stream }: Omit<SourceFile, 'read'>): AsyncGenerator<Buffer> {
  try {
    for await (const piece of await stream()) yield piece as Buffer
  } catch (error) {
    throw error instanceof BoxError ? error : unreadableFile(path, error)
  }
}

async function openZip(zip: ZipFile): Promise<Opened> {
  const files: SourceFile[] = []
  const paths = new Set<string>()
  let total = 0
  try {
    for await (const entry of zip.eachEntry()) {
      // yauzl itself refuses names that lead out of the folder.
      if (entry.fileName.endsWith('/')) continue
      if (paths.has(entry.fileName)) throw new SourceError(`The zip file has two files named ${entry.fileName}.`)
      paths.add(entry.fileName)
      total += entry.uncompressedSize
      refuseBomb(entry, total, files.length)
      files.push(zippedFile(zip, entry))
    }
  } catch (error) {
    zip.close()
    throw error instanceof SourceError || error instanceof BoxError ? error : refusal(error)
  }
  return { files: files.toSorted(byPath), close: async () => zip.close() }
}

const zippedFile = (zip: ZipFile, entry: Entry): SourceFile =>
  readable({
    path: entry.fileName,
    bytes: entry.uncompressedSize,
    modifiedAt: entry.getLastModDate().getTime(),
    stream: () => zip.openReadStreamPromise(entry),
  })

const refuseBroken = (error: unknown): never => {
  throw refusal(error)
}

const refusal = (error: unknown) =>
  new SourceError(`The zip file cannot be read: ${error instanceof Error ? error.message : 'it is damaged'}.`)

async function openEncrypted(handle: FileHandle, bytes: number, askPassphrase: () => Promise<string>): Promise<Opened> {
  try {
    const box = await openBox(await askPassphrase(), bytes, (start, length) => readRange(handle, start, length))
    const zip = await fromRandomAccessReaderPromise(new BoxReader(box), box.plainBytes, { autoClose: false }).catch(
      refuseBroken,
    )
    const source = await openZip(zip)
    return { files: source.files, close: () => source.close().then(() => handle.close()) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function readRange(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) throw new BoxError('damaged')
    filled += bytesRead
  }
  return bytes
}

class BoxReader extends RandomAccessReader {
  readonly #box: OpenBox

  constructor(box: OpenBox) {
    super()
    this.#box = box
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(piecesOf(this.#box, start, end), { objectMode: false })
  }
}

async function* piecesOf(box: OpenBox, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const piece = (await box.read(at)).subarray(0, end - at)
    yield piece
    at += piece.length
  }
}
