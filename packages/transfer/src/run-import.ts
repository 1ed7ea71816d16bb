import type { Kind, TransferRecord } from './record.ts'
import { Notices, type Reader } from './sources/reading.ts'
import { SourceError, type Source } from './source.ts'

/** Reads a source and sends what it holds, batch by batch. Run again, it goes on where it was. */

/** What the service says of a batch; in the order of its records. */
export interface ImportAnswer {
  results: readonly { status: keyof Tally; reason?: string | undefined }[]
}

export interface ImportOptions {
  importId: string
  dryRun: boolean
  /** Sends one batch; throws what `isRefusal` knows where the batch itself is at fault. */
  send(records: TransferRecord[]): Promise<ImportAnswer>
  isRefusal(error: unknown): boolean
  /** What may be gone when the batch is sent again; a batch that was written before makes nothing twice. */
  isPassing(error: unknown): boolean
  /** How long to wait before each further try. */
  retryDelaysMs?: readonly number[]
  /** How many records were sent by now, and what became of them. */
  onProgress(done: number, counts: ImportReport['counts']): void
  /** Ends it between two batches, as a failure would. */
  signal?: AbortSignal | undefined
}

export interface ImportReport {
  source: string
  importId: string
  dryRun: boolean
  /** False where it ended before the source did. */
  isComplete: boolean
  /** By kind of record: how many were made, brought back, were there already, cannot be here, or were refused. */
  counts: Partial<Record<Kind, Tally>>
  /** What the first records are called. */
  samples: string[]
  notices: { what: string; count: number; examples: string[] }[]
  /** The first of those that were not imported, and why. */
  problems: { kind: Kind; name: string; reason: string }[]
  durationMs: number
}

export interface Tally {
  created: number
  /** A former import made them, and they had been taken back. */
  restored: number
  existing: number
  left: number
  failed: number
}

/** What ended an import early, with the report of what it had done. */
export class ImportStopped extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The import ended early.', { cause })
    this.name = 'ImportStopped'
    this.report = report
  }
}

const defaultDelaysMs = [1_000, 2_000, 4_000, 8_000, 16_000]
const putAwayNotice = 'records that are there already, but archived or in the trash: restore them to have them back'
const recordsAtOnce = 50
/** The service keys all texts of a batch before it answers. */
const charsAtOnce = 200_000
const batchesAtOnce = 2
const samplesKept = 5
const problemsKept = 100

/** Throws an ImportStopped once anything was sent. */
export async function runImport(source: Source, reader: Reader, options: ImportOptions): Promise<ImportReport> {
  const startedAt = performance.now()
  const notices = new Notices()
  const running = new Running(options, notices)
  const report = (isComplete: boolean): ImportReport => ({
    source: reader.name,
    importId: options.importId,
    dryRun: options.dryRun,
    isComplete,
    counts: running.counts,
    samples: running.samples,
    notices: notices.list(),
    problems: running.problems,
    durationMs: Math.round(performance.now() - startedAt),
  })
  for (const path of source.unreadable ?? [])
    notices.add('files that cannot be opened: closed to you, or with names that are not UTF-8', path)
  try {
    await sendAll(source, reader, notices, running, options.signal)
  } catch (error) {
    // What is under way is written all the same.
    await running.settle().catch(() => {})
    throw running.hasSent ? new ImportStopped(report(false), error) : error
  }
  if (running.done === 0) throw new SourceError(nothingIn(reader, notices))
  return report(true)
}

async function sendAll(
  source: Source,
  reader: Reader,
  notices: Notices,
  running: Running,
  signal: AbortSignal | undefined,
): Promise<void> {
  let batch: TransferRecord[] = []
  let chars = 0
  const flush = async () => {
    if (batch.length > 0) await running.add(batch)
    batch = []
    chars = 0
  }
  for await (const record of reader.read(source, notices)) {
    signal?.throwIfAborted()
    running.refuse(notices.takeRefused())
    const reason = problemOf(record)
    if (reason !== undefined) {
      running.refuse([{ kind: record.kind, name: nameOf(record), reason }])
      continue
    }
    // Records of one kind may name those of the kinds before.
    const isOther = batch.length > 0 && batch[0]?.kind !== record.kind
    const size = sizeOf(record)
    if (isOther || batch.length === recordsAtOnce || chars + size > charsAtOnce) await flush()
    if (isOther) await running.settle()
    batch.push(record)
    chars += size
  }
  await flush()
  await running.settle()
  running.refuse(notices.takeRefused())
}

function nothingIn({ name, shape }: Reader, notices: Notices): string {
  const seen = notices.list().map(({ what, count, examples }) => `${count} ${what} (${examples[0] ?? ''})`)
  return [`Nothing to import was found: ${name} looks for ${shape}.`, ...seen].join('\n')
}

/** Far more than anybody nests, and far less than a stack holds. */
const maxLevels = 100

/** What is wrong with the record: it is not sent then, and ends nothing. All else the service says. */
const problemOf = (record: TransferRecord): string | undefined =>
  isDeeperThan(record, maxLevels) ? `is nested more than ${maxLevels} levels deep` : undefined

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)))

const sizeOf = (record: TransferRecord): number => ('content' in record ? (record.content?.length ?? 0) : 0) + 500

class Running {
  readonly counts: Partial<Record<Kind, Tally>> = {}
  readonly samples: string[] = []
  readonly problems: ImportReport['problems'] = []
  done = 0
  hasSent = false
  readonly #options: ImportOptions
  readonly #notices: Notices
  #batches: Promise<void>[] = []

  constructor(options: ImportOptions, notices: Notices) {
    this.#options = options
    this.#notices = notices
  }

  refuse(records: readonly { kind: Kind; name: string; reason: string }[]): void {
    for (const { kind, name, reason } of records) this.#count(kind, name, 'failed', reason)
  }

  /** Waits where enough batches are under way. */
  async add(records: TransferRecord[]): Promise<void> {
    if (this.#batches.length >= batchesAtOnce) await this.settle()
    const sent = this.#send(records)
    // Whoever waits for it learns of a failure; until then it is not unhandled.
    sent.catch(() => {})
    this.#batches.push(sent)
  }

  async settle(): Promise<void> {
    const batches = this.#batches
    this.#batches = []
    const ended = await Promise.allSettled(batches)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  /** A batch that is refused is sent in halves, until what is wrong with it stands alone. */
  async #send(records: TransferRecord[]): Promise<void> {
    try {
      const { results } = await this.#sendPatiently(records)
      for (const [at, { status, reason }] of results.entries()) {
        const record = records[at]
        if (record === undefined) continue
        this.#count(record.kind, nameOf(record), status, reason)
        if (status === 'existing' && reason !== undefined) this.#notices.add(putAwayNotice, nameOf(record))
      }
      this.#options.onProgress(this.done, this.counts)
    } catch (error) {
      if (!this.#options.isRefusal(error)) throw error
      const [record] = records
      if (record !== undefined && records.length === 1)
        return this.#count(
          record.kind,
          nameOf(record),
          'failed',
          error instanceof Error ? error.message : 'it was refused',
        )
      const half = Math.ceil(records.length / 2)
      await this.#send(records.slice(0, half))
      await this.#send(records.slice(half))
    }
  }

  async #sendPatiently(records: TransferRecord[]): Promise<ImportAnswer> {
    const { send, isPassing, retryDelaysMs = defaultDelaysMs } = this.#options
    this.hasSent = true
    for (const delayMs of retryDelaysMs)
      try {
        return await send(records)
      } catch (error) {
        if (!isPassing(error)) throw error
        await new Promise((done) => setTimeout(done, delayMs))
      }
    return send(records)
  }

  #count(kind: Kind, name: string, status: keyof Tally, reason: string | undefined): void {
    const tally = (this.counts[kind] ??= { created: 0, restored: 0, existing: 0, left: 0, failed: 0 })
    tally[status]++
    this.done++
    if (status !== 'failed' && this.samples.length < samplesKept) this.samples.push(`${kind}: ${name}`)
    if (reason !== undefined && this.problems.length < problemsKept) this.problems.push({ kind, name, reason })
  }
}

const shownChars = 80

/** Of any record, also of one that is none. */
function nameOf(record: TransferRecord): string {
  const { kind, title, path, source, target, documentType, content } = record as unknown as Record<string, unknown>
  const told = kind === 'link' ? `${String(source)} → ${String(target)}` : (title ?? path ?? documentType ?? content)
  const [line = ''] = (typeof told === 'string' ? told : String(kind)).split('\n', 1)
  return line.slice(0, shownChars)
}
