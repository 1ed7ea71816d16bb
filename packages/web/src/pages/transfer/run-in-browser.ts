import { ImportStopped, runImport, type ImportReport } from '@holdfast/transfer/run-import'
import { SourceError, type Source } from '@holdfast/transfer/source'
import { detectReader, readers } from '@holdfast/transfer/sources/readers'
import type { Reader } from '@holdfast/transfer/sources/reading'
import { CallError, isTransient, messageOf } from '../../api/call-error.ts'
import { call } from '../../api/call.ts'
import { beginWork, importState, readInterrupted } from './import-state.ts'
import { openFiles, type ChosenFile } from './open-files.ts'

/** Imports files chosen in the browser, as the command line does. The files are read here; only the records in them are sent. */

export const sourceNames = readers.map(({ name }) => name)

interface Sending {
  vaultId: string
  importId: string
  dryRun: boolean
  signal: AbortSignal
  onProgress: (done: number) => void
}

function send(
  source: Source,
  reader: Reader,
  { vaultId, importId, dryRun, signal, onProgress }: Sending,
): Promise<ImportReport> {
  const origin = { source: reader.name, name: source.name }
  return runImport(source, reader, {
    importId,
    dryRun,
    signal,
    send: (records) =>
      call('import-records', {
        vaultId,
        importId,
        origin,
        dryRun,
        records: records as unknown as Record<string, unknown>[],
      }),
    isRefusal: (error) => error instanceof CallError && (error.status === 400 || error.status === 413),
    isTransient: (error) => isTransient(error) || (error instanceof CallError && error.status === 429),
    onProgress,
  })
}

async function readerFor(source: Source, sourceName: string, isDocument: boolean): Promise<Reader> {
  const reader = readers.find(({ name }) => name === sourceName) ?? (await detectReader(source))
  if (!isDocument) return reader
  if (reader.readAsDocument === undefined)
    throw new SourceError(`Only the format agents-md can be imported as a document. This is ${reader.name}.`)
  return { ...reader, read: reader.readAsDocument }
}

/** Previews an import. Writes nothing. `sourceName`: the format, or `auto` to detect it. */
export async function previewFiles(
  vaultId: string,
  chosen: readonly ChosenFile[],
  sourceName: string,
  isDocument = false,
): Promise<void> {
  const work = beginWork()
  try {
    await preview(work, vaultId, await openFiles(chosen), { sourceName, isDocument })
  } catch (error) {
    work.show({ step: 'choose', problem: messageOf(error) })
  }
}

/** Previews the same source again with another name or as a document. */
export async function updatePreview(vaultId: string, changes: { name?: string; isDocument?: boolean }): Promise<void> {
  const state = importState()
  if (state.step !== 'preview') return
  const { source, report, isDocument } = state
  const work = beginWork()
  try {
    await preview(
      work,
      vaultId,
      { ...source, name: changes.name ?? source.name },
      { sourceName: report.source, isDocument: changes.isDocument ?? isDocument },
    )
  } catch (error) {
    work.show({ step: 'choose', problem: messageOf(error) })
  }
}

async function preview(
  { show, signal }: ReturnType<typeof beginWork>,
  vaultId: string,
  source: Source,
  { sourceName, isDocument }: { sourceName: string; isDocument: boolean },
): Promise<void> {
  const { name } = source
  show({ step: 'reading', name, done: 0 })
  const reader = await readerFor(source, sourceName, isDocument)
  const importId = newImportId()
  const onProgress = (done: number) => show({ step: 'reading', name, done })
  const report = await send(source, reader, { vaultId, importId, dryRun: true, signal, onProgress })
  show({ step: 'preview', vaultId, source, isDocument, report })
}

/** Runs the previewed import. Continues an interrupted one under its id. */
export async function runPreviewed(vaultId: string, onDone: () => void): Promise<void> {
  const state = importState()
  if (state.step !== 'preview') return
  const { source, isDocument, report: previewed } = state
  const { show, keep, signal } = beginWork()
  const before = readInterrupted()
  const isSame = before?.vaultId === vaultId && before.name === source.name
  const importId = isSame ? before.importId : newImportId()
  const total = totalOf(previewed)
  const running = { step: 'running', name: source.name, vaultId, importId, total } as const
  const onProgress = (done: number) => {
    show({ ...running, done })
    keep({ vaultId, importId, name: source.name, done })
  }
  onProgress(0)
  addEventListener('beforeunload', warn)
  try {
    const reader = await readerFor(source, previewed.source, isDocument)
    const report = await send(source, reader, { vaultId, importId, dryRun: false, signal, onProgress })
    keep(undefined)
    show({ step: 'done', vaultId, report })
  } catch (error) {
    const text = messageOf(error)
    const isUndone = error instanceof ImportStopped && isConflict(error.cause)
    // The server rejects more records under this id, so the same files start a new import.
    if (isUndone) keep(undefined)
    if (error instanceof ImportStopped)
      show({ step: 'done', vaultId, report: error.report, problem: { text, isUndone } })
    else show({ step: 'choose', problem: text })
  } finally {
    removeEventListener('beforeunload', warn)
    onDone()
  }
}

const isConflict = (error: unknown) => error instanceof CallError && error.status === 409

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

export const totalOf = ({ counts }: ImportReport): number =>
  Object.values(counts).reduce(
    (sum, { created, restored, existing, left, failed }) => sum + created + restored + existing + left + failed,
    0,
  )

/** A version 4 UUID. `crypto.randomUUID` isn't available on pages served over plain HTTP. */
function newImportId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [...digits.matchAll(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/g)].flatMap(([, ...parts]) => parts).join('-')
}
