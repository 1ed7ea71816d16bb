import { sha256Hex } from '../sha256.ts'
import type { Notice } from '../notice.ts'
import type { Kind, TransferRecord } from '../record.ts'
import { isHidden, type Source, type SourceFile } from '../source.ts'

/** The interface of readers, and their notices. */

export interface Reader {
  name: string
  /** What the source must contain, for error messages. */
  shape: string
  /** Returns the files of the source that are in this format, for `auto`. */
  claim(source: Source): Promise<SourceFile[]>
  /** Returns records, each after the records that it refers to. */
  read(source: Source, notices: Notices): AsyncGenerator<TransferRecord>
  /** Returns a vault document instead, if the format supports it. */
  readAsDocument?(source: Source, notices: Notices): AsyncGenerator<TransferRecord>
}

/** Collects what a reader skipped or changed, with counts and examples, and the records it rejected. */
export class Notices {
  readonly #found = new Map<string, { count: number; examples: string[] }>()
  readonly #refused: Refused[] = []

  add(what: string, where: string, count = 1): void {
    const found = this.#found.get(what) ?? { count: 0, examples: [] }
    found.count += count
    if (found.examples.length < examplesKept) found.examples.push(where)
    this.#found.set(what, found)
  }

  /** Counts a record that was not imported. */
  refuse(kind: Kind, name: string, reason: string): void {
    this.#refused.push({ kind, name, reason })
  }

  /** Returns the records rejected since the last call. */
  takeRefused(): Refused[] {
    return this.#refused.splice(0)
  }

  list(): Notice[] {
    return [...this.#found].map(([what, { count, examples }]) => ({ what, count, examples }))
  }
}

interface Refused {
  kind: Kind
  name: string
  reason: string
}

const examplesKept = 5

/** Returns the files that pass a test which reads them. */
export async function filterFiles(
  files: readonly SourceFile[],
  test: (file: SourceFile) => Promise<boolean>,
): Promise<SourceFile[]> {
  const passed: SourceFile[] = []
  for (const file of files) if (await test(file)) passed.push(file)
  return passed
}

/** Reports files that no format reads, by kind. Hidden files are not part of what someone wrote. */
export function countOthers(files: readonly SourceFile[], notices: Notices): void {
  for (const { path } of files) {
    if (isHidden(path)) continue
    const kind = /\.[^./]{1,20}$/.exec(path)?.[0].toLowerCase() ?? 'no extension'
    notices.add(`attachments and other files, not imported (${kind})`, path)
  }
}

/** Makes an externalWriteId that is the same in every run, so earlier imports are recognized. */
export const makeWriteId = (source: string, text: string): string => `${source}:${sha256Hex(text).slice(0, 32)}`

/** Limit of memories and documents. */
export const maxContentChars = 100_000

/** Returns undefined for an invalid time. */
export function timeIn(value: unknown): string | undefined {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return isSensible(ms) ? new Date(ms).toISOString() : undefined
}

/** Converts seconds since 1970, which many exports use. */
export const timeFromSeconds = (value: unknown): string | undefined =>
  typeof value === 'number' && isSensible(value * 1000) ? new Date(value * 1000).toISOString() : undefined

const isSensible = (ms: number) => ms > 0 && ms < Date.UTC(2200, 0)
