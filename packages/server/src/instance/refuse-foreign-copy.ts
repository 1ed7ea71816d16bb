import { unwrapKey, KeyWrapError } from '../crypto/keys.ts'
import { StoreError, type Database } from '../db/dialect.ts'
import { findInstance, instanceKeyContext, refuseMissingFormerKey, refuseWrongRootKey } from './instance.ts'
import type { LoadedRootKeys } from './root-key-source.ts'

/**
 * Throws a StoreError where a copied database cannot be opened with the root keys that there are. `keysOf` is told whose the copy is.
 */
export async function refuseForeignCopy(copy: Database, keysOf: (instanceId: string) => LoadedRootKeys): Promise<void> {
  const row = await findInstance(copy)
  if (row === undefined) throw new StoreError('There is no Holdfast in this copy.')
  const loaded = keysOf(row.id)
  refuseWrongRootKey(loaded, row.rootKeyId, row.rootKeyCheck)
  // Older copies have no such column.
  await refuseMissingFormerKey(copy, loaded, row.formerRootKeyId ?? null)
  try {
    unwrapKey(loaded.keys.byId, row.wrappedInstanceKey, instanceKeyContext(row.id))
  } catch (error) {
    if (!(error instanceof KeyWrapError)) throw error
    throw new StoreError('The root key does not open what this copy holds: its keys were exchanged.', { cause: error })
  }
}
