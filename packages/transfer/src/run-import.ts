import { describeNotice, type Notice } from './notice.ts'
import type { Kind, TransferRecord } from './record.ts'
import { Notices, type Reader } from './sources/reading.ts'
import { SourceError, type Source } from './source.ts'

/** Reads a source and sends its records in batches. If you run it again, it continues where it stopped. */

/** The server's answer to a batch, in the order of its records. */
export interface ImportAnswer {
  results: readonly { status: keyof Tally; reason?: string | undefined }[]
}

export interface ImportOptions {
  importId: string
  dryRun: boolean
  /** Sends a batch. Throws an error that `isRefusal` recognizes if the batch itself is invalid. */
  send(records: TransferRecord[]): Promise<ImportAnswer>
  isRefusal(error: unknown): boolean
  /** Whether an error may be temporary. Sending a batch again creates nothing twice. */
  isTransient(error: unknown): boolean
  /** How long to wait before each retry. */
  retryDelaysMs?: readonly number[]
  /** Reports how many records have been sent, with the results. */
  onProgress(done: number, counts: ImportReport['counts']): void
  /** Stops the import between two batches, like a failure. */
  signal?: AbortSignal | undefined
}

export interface ImportReport {
  source: string
  importId: string
  dryRun: boolean
  /** False if the import stopped before the end of the source. */
  isComplete: boolean
  /** Results per kind of record. */
  counts: Partial<Record<Kind, Tally>>
  /** Names of the first records. */
  samples: string[]
  notices: Notice[]
  /** The first records that were not imported, and why. */
  problems: { kind: Kind; name: string; reason: string }[]
  durationMs: number
}

export interface Tally {
  created: number
  /** Records of an earlier import that was reverted. */
  restored: number
  existing: number
  /** Records that cannot exist in this vault. */
  left: number
  failed: number
}

/** An import that stopped early, with the report so far. */
export class ImportStopped extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The import stopped early.', { cause })
    this.name = 'ImportStopped'
    this.report = report
  }
}

const defaultDelaysMs = [1_000, 2_000, 4_000, 8_000, 16_000]
const hiddenRecordsNotice =
  'records that already exist, but are archived or in the trash. Restore them to see them again'
const recordsAtOnce = 50
/** Keeps batches small, because the server processes all texts of a batch before it answers. */
const charsAtOnce = 200_000
const batchesAtOnce = 2
const samplesKept = 5
const problemsKept = 100

/** Runs an import. Throws an ImportStopped if it fails after sending something. */
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
    notices.add('files that cannot be opened: no permission, or names that are not UTF-8', path)
  try {
    await sendAll(reader.read(source, notices), notices, running, options.signal)
  } catch (error) {
    // Batches that are already sent are written anyway.
    await running.settle().catch(() => {})
    throw running.hasSent ? new ImportStopped(report(false), error) : error
  }
  if (running.done === 0) throw new SourceError(describeEmpty(reader, notices))
  return report(true)
}

async function sendAll(
  records: AsyncIterable<TransferRecord>,
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
  for await (const record of records) {
    signal?.throwIfAborted()
    running.refuse(notices.takeRefused())
    const reason = findProblem(record)
    if (reason !== undefined) {
      running.refuse([{ kind: record.kind, name: describeRecord(record), reason }])
      continue
    }
    // Records of one kind may refer to records of earlier kinds.
    const isOther = batch.length > 0 && batch[0]?.kind !== record.kind
    const size = countChars(record)
    if (isOther || batch.length === recordsAtOnce || chars + size > charsAtOnce) await flush()
    if (isOther) await running.settle()
    batch.push(record)
    chars += size
  }
  await flush()
  await running.settle()
  running.refuse(notices.takeRefused())
}

function describeEmpty({ name, shape }: Reader, notices: Notices): string {
  // Its manifest is there, and says what it contains.
  if (name === 'holdfast') return 'Nothing to import: this is the export of an empty vault.'
  const seen = notices
    .list()
    .map(({ what, count, examples }) => describeNotice({ what, count, examples: examples.slice(0, 1) }))
  return [`Nothing to import was found. ${name} looks for ${shape}.`, ...seen].join('\n')
}

/** Far deeper than real data, and far less than the stack allows. */
const maxLevels = 100

/** Returns a problem that prevents sending the record. The server finds all others. */
const findProblem = (record: TransferRecord): string | undefined =>
  isDeeperThan(record, maxLevels) ? `has more than ${maxLevels} levels of nesting` : undefined

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)))

const countChars = (record: TransferRecord): number => ('content' in record ? (record.content?.length ?? 0) : 0) + 500

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

  /** Waits if enough batches are in progress. */
  async add(records: TransferRecord[]): Promise<void> {
    if (this.#batches.length >= batchesAtOnce) await this.settle()
    const sent = this.#send(records)
    // settle() reports a failure. Until then, it must not count as unhandled.
    sent.catch(() => {})
    this.#batches.push(sent)
  }

  async settle(): Promise<void> {
    const batches = this.#batches
    this.#batches = []
    const ended = await Promise.allSettled(batches)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  /** Splits a rejected batch into halves until only the invalid record is left. */
  async #send(records: TransferRecord[]): Promise<void> {
    try {
      const { results } = await this.#sendPatiently(records)
      for (const [at, { status, reason }] of results.entries()) {
        const record = records[at]
        if (record === undefined) continue
        this.#count(record.kind, describeRecord(record), status, reason)
        if (status === 'existing' && reason !== undefined)
          this.#notices.add(hiddenRecordsNotice, describeRecord(record))
      }
      this.#options.onProgress(this.done, this.counts)
    } catch (error) {
      if (!this.#options.isRefusal(error)) throw error
      const [record] = records
      if (record !== undefined && records.length === 1)
        return this.#count(
          record.kind,
          describeRecord(record),
          'failed',
          error instanceof Error ? error.message : 'the server rejected it',
        )
      const half = Math.ceil(records.length / 2)
      await this.#send(records.slice(0, half))
      await this.#send(records.slice(half))
    }
  }

  async #sendPatiently(records: TransferRecord[]): Promise<ImportAnswer> {
    const { send, isTransient, retryDelaysMs = defaultDelaysMs } = this.#options
    this.hasSent = true
    for (const delayMs of retryDelaysMs)
      try {
        return await send(records)
      } catch (error) {
        if (!isTransient(error)) throw error
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

const maxNameChars = 80

/** Returns a short name for any record, even an invalid one. */
function describeRecord(record: TransferRecord): string {
  const { kind, title, path, source, target, documentType, content } = record as unknown as Record<string, unknown>
  const text = kind === 'link' ? `${String(source)} → ${String(target)}` : (title ?? path ?? documentType ?? content)
  const [line = ''] = (typeof text === 'string' ? text : String(kind)).split('\n', 1)
  return line.slice(0, maxNameChars)
}
