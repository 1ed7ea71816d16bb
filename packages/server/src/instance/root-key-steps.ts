import { conflict } from '../core/errors.ts'
import { createRandomKey, wrappingKeyFrom } from '../crypto/keys.ts'
import { driverCode, StoreError, type Database } from '../db/dialect.ts'
import { type Instance, rereadRootKeys } from './instance.ts'
import { replaceKeyFile, setKeyAside } from './root-key-file.ts'
import { isFileSource, loadRootKeys, rootKeyFile } from './root-key-source.ts'
import { forgetFormerRootKey, lockRootKeyState, replaceRootKey } from './root-key-store.ts'
import { listServersWithout } from './server-store.ts'

/**
 * The steps in which the root key is changed. Each holds the row of the instance, so that of several processes one takes it, and
 * leaves a state that every start can go on from: file or setting give both keys from before the first wrap under the new one until
 * after the last wrap under the former.
 */

interface Deps {
  db: Database
  instance: Instance
  now(): number
}

/** Within it a second call changes nothing: an answer that was lost is no reason for another key. */
const restMs = 10 * 60_000

type Prepared = 'prepared' | 'unfinished' | 'rested' | 'not-given'

/** Sees to it that there is a new key beside the one in use; makes it where the keys lie in a file. */
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

/** From its commit on the new key wraps. The names of the servers that do not have it, where there are any; nothing is changed then. */
export const switchRootKey = ({ db, instance, now }: Deps): Promise<string[]> =>
  db.write(async (tx) => {
    const state = await lockRootKeyState(tx)
    // Once more: what wraps from now on must be where it is found again.
    reread(instance)
    const { primary } = instance.rootKeys
    if (state.former !== undefined || primary.id === state.current) return []
    const lacking = await listServersWithout(tx, primary.id)
    if (lacking.length === 0) await replaceRootKey(tx, instance, primary, now())
    return lacking
  })

/**
 * To call when nothing is wrapped under the former key any more: takes it out of the file, beside which it is kept for old backups.
 * Tells where.
 */
export const retireRootKey = ({ db, instance, now }: Deps): Promise<string | undefined> =>
  db.write(async (tx) => {
    const { former } = await lockRootKeyState(tx)
    if (former === undefined) return undefined
    const kept = isFileSource(instance.rootKeySource) ? inFile(instance, (file) => retireIn(file)) : undefined
    // Last: until then every start knows that there may be something left to do.
    await forgetFormerRootKey(tx)
    return kept

    function retireIn(file: string): string | undefined {
      const { byId } = loadRootKeys(instance.rootKeySource, instance.id).keys
      const key = byId.get(former ?? '')
      if (key === undefined) return undefined
      const path = setKeyAside(file, key, now())
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

/** What is wrong with the file is for whoever changes the key to put right. */
function inFile<T>(instance: Instance, work: (file: string) => T): T {
  const file = rootKeyFile(instance.rootKeySource, instance.id)
  try {
    return work(file)
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : `${file} cannot be written (${driverCode(error)})`
    throw conflict(`The root key was not changed any further: ${reason}`)
  }
}
