import { conflict, notFound, unavailable } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { loadRootKeys } from '../instance/root-key-source.ts'
import type { BackupFile, Backups, RunningBackup } from '../operation/backups.ts'
import { deleteFiles, readDrill, readFolder, readMoved } from './backup-folder.ts'
import { describeFailure } from './describe-failure.ts'
import { createMaker, type Maker } from './maker.ts'
import type { BackupSettings } from './read-settings.ts'
import { S3Problem } from './s3/client.ts'
import { type Copies, createCopies } from './s3/copies.ts'
import { createVerifier } from './verifier.ts'

interface Deps {
  db: Database
  instance: Instance
  settings: BackupSettings
  log: Log
  now(): number
}

const hourMs = 3_600_000

/** The backups of this server, in the folder that its settings name. */
export function createBackups({ db, instance, settings, log, now }: Deps): Backups {
  const { folder, everyHours, keep, s3 } = settings
  const stop = new AbortController()
  const parts = {
    db,
    folder,
    log,
    now,
    stopping: stop.signal,
    instanceId: instance.id,
    keysOf: () => ({ keys: instance.rootKeys, origin: instance.rootKeyOrigin }),
  }
  const copies = s3 === undefined ? undefined : createCopies({ s3, instanceId: instance.id, signal: stop.signal, now })
  const maker = createMaker({ ...parts, upload: copies?.upload })
  // Load the keys as the next start would: a former key may still be in memory.
  const verifier = createVerifier({ ...parts, keysOf: (id) => loadRootKeys(instance.rootKeySource, id) })

  const list = () =>
    readFolder(folder, instance.id).catch((error: unknown) => {
      throw unavailable(describeFailure(error, db, folder), { cause: error })
    })
  const listAutomatic = async () => (await list()).filter((one) => isGoodAutomatic(one, now()))

  const find = async (id: string) => findById(await list(), id)

  return {
    isSupported: db.copyTo !== undefined,
    folder,
    everyHours,
    keep,
    isCopied: copies !== undefined,
    listCopies: async () => copies?.list(),
    list,
    movedAt: async () => (await readMoved(folder, instance.id))?.createdAt,
    lastDrill: () => readDrill(folder, instance.id),
    running: () => maker.running()?.state,
    lastFailure: maker.lastFailure,
    start() {
      refuseToJoin(maker.running()?.state)
      const { state, made } = maker.begin('manual')
      made.catch((error: unknown) => log.warn('a backup could not be made', { error }))
      return state
    },
    async verify(id) {
      await verifier.verify((await find(id)).file)
      return find(id)
    },
    async remove(id) {
      refuseRunning(id, maker)
      await removeBoth(id, await list(), { copies, maker })
    },
    deleteBeforeUpdate: async (which) =>
      db.copyTo === undefined ? 0 : deleteExpired(await list(), which === 'all' ? Infinity : now()),
    makeDue: (signal) => makeDue({ maker, copies, listAutomatic, settings, now }, signal),
    async stop() {
      stop.abort(new Error('the server stops'))
      await Promise.allSettled([maker.running()?.made, ...verifier.running()])
    },
  }
}

/** In S3 first: if that fails, the list still has it. */
async function removeBoth(
  id: string,
  backups: BackupFile[],
  { copies, maker }: Pick<Due, 'copies' | 'maker'>,
): Promise<void> {
  const backup = backups.find((one) => one.id === id)
  const wasCopied = await copies?.remove(id, backup?.file).catch((error: unknown) => {
    if (!(error instanceof S3Problem)) throw error
    throw unavailable(`Nothing was deleted on this machine, because S3 may still have the copy: ${error.message}`, {
      cause: error,
    })
  })
  if (backup === undefined && wasCopied !== true) throw notFound('Backup')
  if (backup === undefined) return
  // A waiting upload may have begun meanwhile.
  refuseRunning(id, maker)
  await deleteFiles(backup.file)
}

/** An upload would end after the deletion, and leave a copy in S3 that nobody expects. */
function refuseRunning(id: string, maker: Maker): void {
  if (maker.running()?.state.id === id)
    throw conflict('This backup is being made or copied to S3. Call again when that has ended.')
}

interface Due extends Pick<Deps, 'settings' | 'now'> {
  maker: Maker
  copies: Copies | undefined
  /** The good ones, newest first. */
  listAutomatic(): Promise<BackupFile[]>
}

async function makeDue({ maker, copies, listAutomatic, settings, now }: Due, signal: AbortSignal): Promise<boolean> {
  const { everyHours, keep } = settings
  const [newest] = await listAutomatic()
  const isDue = everyHours > 0 && (newest === undefined || now() - newest.createdAt >= everyHours * hourMs)
  try {
    if (isDue) await maker.begin('automatic', signal).made
    await maker.uploadWaiting(signal)
    if (everyHours > 0) await copies?.prune(keep)
  } finally {
    // Also while S3 doesn't answer, or the disk would fill up.
    if (everyHours > 0)
      for (const { file } of (await listAutomatic()).slice(keep)) {
        await copies?.abandon(file)
        await deleteFiles(file)
      }
  }
  return isDue
}

function findById(backups: BackupFile[], id: string): BackupFile {
  const backup = backups.find((one) => one.id === id)
  if (backup === undefined) throw notFound('Backup')
  return backup
}

async function deleteExpired(backups: BackupFile[], at: number): Promise<number> {
  const expired = backups.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= at)
  for (const { file } of expired) await deleteFiles(file)
  return expired.length
}

/** A backup with a future date or with damage must not delay the next one or push out a good one. */
const isGoodAutomatic = ({ kind, createdAt, problem }: BackupFile, at: number) =>
  kind === 'automatic' && createdAt <= at && problem === undefined

/** Automatic backups may be deleted soon, and one past copying lacks the latest writes, so neither can be joined. */
function refuseToJoin(running: RunningBackup | undefined): void {
  if (running !== undefined && (running.kind === 'automatic' || running.step !== 'copying'))
    throw conflict('Another backup is in progress. Call again in a moment.')
}
