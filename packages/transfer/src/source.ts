/** What an import reads: the files of a folder or a zip file, or a single one, whoever has opened them. */

export interface SourceFile {
  /** From the top, parted by `/`. */
  path: string
  bytes: number
  modifiedAt: number
  read(): Promise<Uint8Array>
  stream(): Promise<AsyncIterable<Uint8Array>>
}

export interface Source {
  /** Of the folder or file: two sources may hold files of the same path. */
  name: string
  files: SourceFile[]
  /** Files that cannot be opened: their names are not UTF-8, or they are closed to this user. */
  unreadable?: string[]
  close(): Promise<void>
}

/** A source that cannot be read, in words for whoever named it. */
export class SourceError extends Error {
  readonly isMissing: boolean

  constructor(message: string, { isMissing = false }: { isMissing?: boolean } = {}) {
    super(message)
    this.name = 'SourceError'
    this.isMissing = isMissing
  }
}

/** One file is held in memory where its format asks for it. */
export const maxReadBytes = 512 * 1024 * 1024
export const maxFiles = 500_000

/** A zip of text shrinks to a tenth; one that claims much more is made to fill disks and memories. */
const maxRatio = 200
const freeRatioBytes = 16 * 1024 * 1024
const maxZipBytes = 16 * 1024 * 1024 * 1024

interface ZippedFile {
  fileName: string
  compressedSize: number
  uncompressedSize: number
}

/** `total`: the bytes of all files so far, with this one; `count`: how many there were before it. */
export function refuseBomb(
  { fileName, compressedSize, uncompressedSize }: ZippedFile,
  total: number,
  count: number,
): void {
  if (count >= maxFiles) throw new SourceError(`The zip file holds more than ${maxFiles} files.`)
  const isSuspicious = uncompressedSize > freeRatioBytes && uncompressedSize > maxRatio * compressedSize
  if (isSuspicious || total > maxZipBytes)
    throw new SourceError(`The zip file is refused: ${fileName} would unpack to ${uncompressedSize} bytes.`)
}

export const unreadableFile = (path: string, error: unknown) =>
  new SourceError(`${path} cannot be read: ${error instanceof Error ? error.message : 'it is damaged'}.`)

export const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1)

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** As UTF-8; what is none is replaced by signs that say so. */
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes)

export const readText = async (file: Pick<SourceFile, 'read'>): Promise<string> => decode(await file.read())

const maxLineBytes = 64 * 1024 * 1024
const lineFeed = 10

/** Lines of text, parted by line feeds alone: other signs that end lines are part of what was written. */
export async function* linesIn(file: Pick<SourceFile, 'path' | 'stream'>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = []
  let bytes = 0
  let isFirst = true
  const lineOf = (last: Uint8Array) => {
    const text = decode(pieces.length === 0 ? last : joined([...pieces, last]))
    const line = isFirst ? text.replace(/^\uFEFF/, '') : text
    ;[pieces, bytes, isFirst] = [[], 0, false]
    return line
  }
  for await (const piece of await file.stream()) {
    let from = 0
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
      yield lineOf(piece.subarray(from, at))
      from = at + 1
    }
    if (from === piece.length) continue
    pieces.push(piece.subarray(from))
    bytes += piece.length - from
    if (bytes > maxLineBytes) throw new SourceError(`${file.path} has a line of more than ${maxLineBytes} bytes.`)
  }
  if (bytes > 0) yield lineOf(new Uint8Array())
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** What nobody wrote as notes: hidden files, and packages of others. */
export const isHidden = (path: string) =>
  isOfPackages(path) || path.split('/').some((name) => name.startsWith('.') || name === '__MACOSX')

export const isOfPackages = (path: string) => /(^|\/)node_modules\//.test(path)

const filesAtOnce = 16

/** No more files open at once than systems allow. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += filesAtOnce)
    results.push(...(await Promise.all(items.slice(at, at + filesAtOnce).map(work))))
  return results
}
