/** The source of an import: the files of a folder or zip file, or a single file, opened by the caller. */

export interface SourceFile {
  /** Relative to the top, with `/`. */
  path: string
  bytes: number
  modifiedAt: number
  read(): Promise<Uint8Array>
  stream(): Promise<AsyncIterable<Uint8Array>>
}

export interface Source {
  /** Name of the folder or file, because two sources may contain files with the same path. */
  name: string
  files: SourceFile[]
  /** Files that cannot be opened: their names are not UTF-8, or permission is missing. */
  unreadable?: string[]
  close(): Promise<void>
}

/** A source that cannot be read. The message is for the person who chose it. */
export class SourceError extends Error {
  readonly isMissing: boolean

  constructor(message: string, { isMissing = false }: { isMissing?: boolean } = {}) {
    super(message)
    this.name = 'SourceError'
    this.isMissing = isMissing
  }
}

/** Limit of a file that is read into memory. */
export const maxReadBytes = 512 * 1024 * 1024
export const maxFiles = 500_000

/** Text compresses to about a tenth. A zip file that claims much more is meant to fill disks and memory. */
const maxRatio = 200
const freeRatioBytes = 16 * 1024 * 1024
const maxZipBytes = 16 * 1024 * 1024 * 1024

interface ZippedFile {
  fileName: string
  compressedSize: number
  uncompressedSize: number
}

/** Rejects a zip bomb. `total` is the size of all files including this one; `count` is the number of files before it. */
export function refuseBomb(
  { fileName, compressedSize, uncompressedSize }: ZippedFile,
  total: number,
  count: number,
): void {
  if (count >= maxFiles) throw new SourceError(`The zip file contains more than ${maxFiles} files.`)
  const isSuspicious = uncompressedSize > freeRatioBytes && uncompressedSize > maxRatio * compressedSize
  if (isSuspicious || total > maxZipBytes)
    throw new SourceError(`The zip file is not safe: ${fileName} would unpack to ${uncompressedSize} bytes.`)
}

export const unreadableFile = (path: string, error: unknown) =>
  new SourceError(`${path} cannot be read: ${error instanceof Error ? error.message : 'it is damaged'}.`)

export const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes UTF-8. Invalid bytes become replacement characters. */
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes)

export const readText = async (file: Pick<SourceFile, 'read'>): Promise<string> => decode(await file.read())

const maxLineBytes = 64 * 1024 * 1024
const lineFeed = 10

/** Reads lines. Only line feeds separate them; other line separators are part of the text. */
export async function* linesIn(file: Pick<SourceFile, 'path' | 'stream'>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = []
  let bytes = 0
  let isFirst = true
  const toLine = (last: Uint8Array) => {
    const text = decode(pieces.length === 0 ? last : concatBytes([...pieces, last]))
    const line = isFirst ? text.replace(/^\uFEFF/, '') : text
    ;[pieces, bytes, isFirst] = [[], 0, false]
    return line
  }
  for await (const piece of await file.stream()) {
    let from = 0
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
      yield toLine(piece.subarray(from, at))
      from = at + 1
    }
    if (from === piece.length) continue
    pieces.push(piece.subarray(from))
    bytes += piece.length - from
    if (bytes > maxLineBytes) throw new SourceError(`${file.path} has a line of more than ${maxLineBytes} bytes.`)
  }
  if (bytes > 0) yield toLine(new Uint8Array())
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Whether a file is no note: hidden files and packages. */
export const isHidden = (path: string) =>
  isInPackage(path) || path.split('/').some((name) => name.startsWith('.') || name === '__MACOSX')

export const isInPackage = (path: string) => /(^|\/)node_modules\//.test(path)

const filesAtOnce = 16

/** Works through items in small groups, to limit the number of open files. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += filesAtOnce)
    results.push(...(await Promise.all(items.slice(at, at + filesAtOnce).map(work))))
  return results
}
