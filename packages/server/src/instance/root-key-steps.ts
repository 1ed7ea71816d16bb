import { conflict } from '../core/errors.ts'
import { createRandomKey, wrappingKeyFrom } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import { driverCode, StoreError } from '../db/store-error.ts'
import { type Instance, rereadRootKeys } from './instance.ts'
import { replaceKeyFile, keepFormerKey } from './root-key-file.ts'
import { isFileSource, loadRootKeys, rootKeyFile } from './root-key-source.ts'
import { forgetFormerRootKey, lockRootKeyState, replaceRootKey } from './root-key-store.ts'
import { listServersWithout } from './server-store.ts'

/**
 * The steps of a root key rotation. Each locks the instance's row, so only one process takes it, and leaves a state from which any
 * start can continue: the key file or setting contains both keys from before the first wrap under the new key until after the last
 * wrap under the former one is replaced.
 */

interface Deps {
  db: Database
  instance: Instance
  now(): number
}

/** A second call within this time changes nothing: a retry after a lost answer must not create another key. */
const restMs = 10 * 60_000

type Prepared = 'prepared' | 'unfinished' | 'rested' | 'not-given'

/** Makes sure that there is a new key besides the current one. Creates it if the keys are in a file. */
export const prepareRootKey = ({ db, instance, now }: Deps): Promise<Prepared> =>
  db.write(async (tx) => {
    const state = await lockRootKeyState(tx)
    if (state.former !== undefined) return 'unfinished'
    reread(instance)
    if (instance.rootKeys.primary.id !== state.current) return 'prepared'
    if (!isFileSource(instance.rootKeySource)) return 'not-given'
    if (!state.isFirst && now() - state.since < restMs) return 'rested'
    inFile(instance, (file) => {
      const { keys } = loadRootKeys(instance.rootKeySource, instance.id)
      replaceKeyFile(file, [wrappingKeyFrom(createRandomKey()), ...keys.byId.values()])
    })
    reread(instance)
    return 'prepared'
  })

/** Starts wrapping with the new key. If servers lack it, changes nothing and returns their names. */
export const switchRootKey = ({ db, instance, now }: Deps): Promise<string[]> =>
  db.write(async (tx) => {
    const state = await lockRootKeyState(tx)
    // Reread: the key that wraps from now on must be in the file.
    reread(instance)
    const { primary } = instance.rootKeys
    if (state.former !== undefined || primary.id === state.current) return []
    // This server has just read the key, but announces it only every few seconds.
    const lacking = await listServersWithout(tx, primary.id, instance.serverId)
    if (lacking.length === 0) await replaceRootKey(tx, instance, primary, now())
    return lacking
  })

/**
 * Call this when nothing is wrapped under the former key any more. Moves it from the key file into its own file, for old backups,
 * and returns that path.
 */
export const retireRootKey = ({ db, instance, now }: Deps): Promise<string | undefined> =>
  db.write(async (tx) => {
    const { former } = await lockRootKeyState(tx)
    if (former === undefined) return undefined
    const kept = isFileSource(instance.rootKeySource) ? inFile(instance, (file) => retireIn(file)) : undefined
    // Last, so that a start after a crash knows that work may be left.
    await forgetFormerRootKey(tx)
    return kept

    function retireIn(file: string): string | undefined {
      const { byId } = loadRootKeys(instance.rootKeySource, instance.id).keys
      const key = byId.get(former ?? '')
      if (key === undefined) return undefined
      const path = keepFormerKey(file, key, now())
      replaceKeyFile(
        file,
        [...byId.values()].filter(({ id }) => id !== key.id),
      )
      return path
    }
  })

function reread(instance: Instance): void {
  inFile(instance, () => rereadRootKeys(instance))
}

/** Reports problems with the key file to the person who rotates the key. */
function inFile<T>(instance: Instance, work: (file: string) => T): T {
  const file = rootKeyFile(instance.rootKeySource, instance.id)
  try {
    return work(file)
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : `cannot write ${file} (${driverCode(error)})`
    throw conflict(`The rotation of the root key stopped: ${reason}`)
  }
}
