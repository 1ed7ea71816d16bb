import { conflict, notFound, unavailable } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { loadRootKeys } from '../instance/root-key-source.ts'
import type { BackupFile, Backups, RunningBackup } from '../operation/backups.ts'
import { deleteFiles, readFolder } from './backup-folder.ts'
import { describeFailure } from './describe-failure.ts'
import { createMaker } from './maker.ts'
import { createVerifier } from './verifier.ts'

interface Deps {
  db: Database
  instance: Instance
  settings: { folder: string; everyHours: number; keep: number }
  log: Log
  now(): number
}

const hourMs = 3_600_000

/** The backups of this server, in the folder that its settings name. */
export function createBackups({ db, instance, settings, log, now }: Deps): Backups {
  const { folder, everyHours, keep } = settings
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
  const maker = createMaker(parts)
  // As the next start would have them: a former key may still be in memory.
  const verifier = createVerifier({ ...parts, keysOf: (id) => loadRootKeys(instance.rootKeySource, id) })

  const list = () =>
    readFolder(folder, instance.id).catch((error: unknown) => {
      throw unavailable(describeFailure(error, db, folder), { cause: error })
    })
  const listAutomatic = async () => (await list()).filter((one) => isGoodAutomatic(one, now()))

  async function find(id: string) {
    const backup = (await list()).find((one) => one.id === id)
    if (backup === undefined) throw notFound('Backup')
    return backup
  }

  return {
    isSupported: db.copyTo !== undefined,
    ...settings,
    list,
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
      await deleteFiles((await find(id)).file)
    },
    async makeDue(signal) {
      const [newest] = await listAutomatic()
      const isDue = newest === undefined || now() - newest.createdAt >= everyHours * hourMs
      if (isDue) await maker.begin('automatic', signal).made
      for (const { file } of (await listAutomatic()).slice(keep)) await deleteFiles(file)
      return isDue
    },
    async stop() {
      stop.abort(new Error('the server stops'))
      await Promise.allSettled([maker.running()?.made, ...verifier.running()])
    },
  }
}

/** One that a clock ahead has dated, or that is damaged, neither puts the next off nor pushes a good one out. */
const isGoodAutomatic = ({ kind, createdAt, problem }: BackupFile, at: number) =>
  kind === 'automatic' && createdAt <= at && problem === undefined

/** An automatic one is not given away, and of one that is past copying what was written since is no part. */
function refuseToJoin(running: RunningBackup | undefined): void {
  if (running !== undefined && (running.kind === 'automatic' || running.step !== 'copying'))
    throw conflict('Another backup is just being made. Call again in a moment.')
}
