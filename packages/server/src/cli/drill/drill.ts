import { join } from 'node:path'
import { dataFolderIn } from '../../backups/temporary-folder.ts'
import type { BackupEnd } from '../../backups/backup-file.ts'
import { proveBackup, proveRestored } from '../../backups/prove-backup.ts'
import type { App } from '../../app.ts'
import { countDamagedUsers } from '../../accounts/store.ts'
import { countDamagedProfiles } from '../../auth/store.ts'
import type { Config } from '../../config.ts'
import { createLog } from '../../core/log.ts'
import { sqliteFile } from '../../db/sqlite.ts'
import { isFull } from '../../db/sqlite-disk.ts'
import { driverCode, StoreError } from '../../db/store-error.ts'
import { loadRootKeys } from '../../instance/root-key-source.ts'
import { countRows } from '../../integrity/row-store.ts'
import type { Problem } from '../../integrity/problem.ts'
import { checkedTables } from '../../integrity/rules.ts'
import { walk, type Position } from '../../integrity/walk.ts'
import { localCaller, type Caller } from '../caller.ts'
import { CommandError } from '../exit-codes.ts'
import { replaceStore } from '../replace-store.ts'
import { checkSearches, type Searched } from './check-searches.ts'

/** What a drill does, in this order. */
export type StepName = 'verify' | 'restore' | 'compare' | 'open' | 'check' | 'search'

export interface Progress {
  step: StepName
  done: number
  /** 0 if it isn't known. */
  total: number
}

export interface Drilled {
  end: BackupEnd
  steps: { step: StepName; ms: number }[]
  /** How many rows of users were opened and compared; undefined in a quick drill. */
  rows: number | undefined
  searched: Searched
  /** What is damaged, then which memories were not found. */
  problems: string[]
}

interface Options {
  /** An empty folder, which the caller removes. */
  folder: string
  config: Config
  /** Whether to leave the rows as they are, which takes longer than everything else. */
  isQuick: boolean
  /** Calls the running server of the same instance, if it is known that one runs. */
  running: Caller | undefined
  onProgress(progress: Progress): void
}

/** The restored store could not be opened, checked or searched. The cause says why. */
export class UnusableStore extends Error {
  constructor(step: StepName, cause: unknown) {
    super(`The restored store failed in the step "${step}": ${describeCause(cause)}`, { cause })
    this.name = 'UnusableStore'
  }
}

/** Drivers' messages may contain texts, so only their codes count. */
function describeCause(cause: unknown): string {
  if (cause instanceof StoreError || cause instanceof CommandError) return cause.message
  const code = driverCode(cause)
  return `an unexpected error${code === '' ? '' : ` (${code})`}.`
}

/**
 * Restores a backup into the folder with the code of `restore`, opens it as a server would, and looks for what differs. A backup that
 * can't be restored throws what `restore` would throw; a restored store that can't be used throws an UnusableStore.
 */
export async function drill(backup: string, options: Options): Promise<Drilled> {
  const { folder, config, isQuick, running, onProgress } = options
  const steps: Drilled['steps'] = []
  let current: StepName = 'verify'
  async function time<T>(
    step: StepName,
    work: (report: (done: number, total: number) => void) => Promise<T>,
  ): Promise<T> {
    current = step
    const began = performance.now()
    const result = await work((done, total) => onProgress({ step, done, total }))
    steps.push({ step, ms: Math.round(performance.now() - began) })
    return result
  }
  const signal = new AbortController().signal
  const dataDir = dataFolderIn(folder)
  const end = await time('verify', (report) =>
    proveBackup(backup, { signal, onProgress: report, keysOf: (id) => loadRootKeys(config.rootKey, id) }),
  )
  await time('restore', (report) => replaceStore({ backup, end, dataDir, now: Date.now(), onProgress: report }))
  // Before the store is opened, which may change its tables and always writes to it.
  await time('compare', (report) => proveRestored(sqliteFile(dataDir), end, { signal, onProgress: report }))
  const refuse = (error: unknown) => {
    throw isRoomMissing(error) ? error : new UnusableStore(current, error)
  }
  const app = await time('open', () => openRestored(config, dataDir)).catch(refuse)
  try {
    const checked = isQuick ? undefined : await time('check', (report) => checkRows(app, report))
    const searched = await time('search', (report) =>
      checkSearches(localCaller(app).call, { running: running?.call, onProgress: (done) => report(done, 0) }),
    )
    const found = [...(await findDamagedProfiles(app)), ...(checked?.problems ?? []), ...describeMissed(searched)]
    return { end, steps, rows: checked?.rows, searched, problems: found }
  } catch (error) {
    return refuse(error)
  } finally {
    await app.stop()
  }
}

/** Says nothing about the backup. */
function isRoomMissing(error: unknown): boolean {
  return (
    isFull(driverCode(error)) || (error instanceof Error && error.cause !== undefined && isRoomMissing(error.cause))
  )
}

/** The app of a server with these settings, without its work in the background: it sends nothing, except texts to an embedding provider. */
async function openRestored(config: Config, dataDir: string): Promise<App> {
  const { createApp } = await import('../../app.ts')
  const copy: Config = {
    ...config,
    dataDir,
    databaseUrl: undefined,
    reranker: undefined,
    telemetry: undefined,
    backups: { ...config.backups, folder: join(dataDir, 'backups'), everyHours: 0, s3: undefined },
    rateLimits: { read: 0, write: 0, search: 0, ingest: 0 },
    dashboardRateLimit: 0,
    quotas: { read: 0, write: 0, search: 0, ingest: 0 },
  }
  return createApp(copy, { log: createLog('silent', process.stderr), runsJobs: false, mayCreate: false })
}

/** How long it reads until it reports progress. */
const turnMs = 250
/** More of them say no more. */
const maxProblems = 500

/** Opens all values and compares all rows, as `holdfast check` does, without a pause: nobody else uses this store. */
async function checkRows(
  { services }: App,
  report: (done: number, total: number) => void,
): Promise<{ rows: number; problems: string[] }> {
  let total = 0
  for (const table of checkedTables) total += await countRows(services.db.read, table, undefined)
  const problems: Problem[] = []
  let rows = 0
  let from: Position | undefined
  do {
    const walked = await walk(services, { repairs: false, vault: undefined, from, isAlone: true }, turnMs)
    rows += walked.rows
    problems.push(...walked.problems)
    report(rows, total)
    from = walked.next
  } while (from !== undefined && problems.length < maxProblems)
  return { rows, problems: problems.map(describeProblem) }
}

const describeProblem = ({ userId, vaultId, table, column, recordId, problem, detail }: Problem): string =>
  `${vaultId === null ? `User ${userId}` : `Vault ${vaultId}`}: ${table}${column === null ? '' : `.${column}`} ${recordId} is ${problem}${detail === null ? '' : ` (${detail})`}.`

async function findDamagedProfiles({ services: { db, instance } }: App): Promise<string[]> {
  const users = await countDamagedUsers(db.read, instance)
  const agents = await countDamagedProfiles(db.read, instance)
  return users + agents === 0 ? [] : [`Names that don't open: users ${users}, agents ${agents}.`]
}

const describeMissed = ({ missed }: Searched): string[] =>
  missed.map(
    ({ vaultId, memoryId }) => `Vault ${vaultId}: a search for the words of memory ${memoryId} doesn't find it.`,
  )
