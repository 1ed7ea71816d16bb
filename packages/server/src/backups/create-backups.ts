import { notFound, unavailable } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import type { Backups } from '../operation/backups.ts'
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
    keysOf: () => ({ keys: instance.rootKeys, origin: instance.rootKeyOrigin }),
  }
  const maker = createMaker(parts)
  const verifier = createVerifier(parts)

  const list = () =>
    readFolder(folder).catch((error: unknown) => {
      throw unavailable(describeFailure(error, db, folder), { cause: error })
    })
  const listAutomatic = async () => (await list()).filter(({ kind }) => kind === 'automatic')

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
      const newest = (await listAutomatic()).find(({ problem }) => problem === undefined)
      // A clock that was ahead must not put it off.
      const isDue = newest === undefined || Math.abs(now() - newest.createdAt) >= everyHours * hourMs
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
