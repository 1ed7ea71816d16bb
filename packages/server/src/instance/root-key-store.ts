import { unavailable } from '../core/errors.ts'
import { keyCheckValue, unwrapKey, wrapKey, type WrappingKey } from '../crypto/keys.ts'
import { locksRows, type Reader, type Tx } from '../db/dialect.ts'
import { instanceKeyContext, type Instance } from './instance.ts'

/** The state of the root key, from the instance's row. Code that wraps with the key or replaces it locks the row until it is done. */
interface RootKeyState {
  /** The id of the key that wraps. */
  current: string
  /** The id of the previous key, while some wraps may still use it. */
  former: string | undefined
  /** When the current key was put into use. */
  since: number
  /** Whether the key was never replaced. */
  isFirst: boolean
}

export async function readRootKeyState(db: Reader): Promise<RootKeyState> {
  const row = await db
    .selectFrom('instance')
    .select(['rootKeyId', 'formerRootKeyId', 'rootKeySince', 'createdAt'])
    .executeTakeFirstOrThrow()
  return {
    current: row.rootKeyId,
    former: row.formerRootKeyId ?? undefined,
    since: row.rootKeySince ?? row.createdAt,
    isFirst: row.rootKeySince === null,
  }
}

/** The state as people see it. `prepared`: there is a new key that isn't used yet. `unfinished`: some wraps still use the former key. */
export async function readRootKeyUse(db: Reader, { rootKeys }: Instance): Promise<RootKeyUse> {
  const { current, former, since } = await readRootKeyState(db)
  if (former !== undefined) return { since, state: 'unfinished' }
  return { since, state: rootKeys.primary.id === current ? 'settled' : 'prepared' }
}

export interface RootKeyUse {
  since: number
  state: 'settled' | 'prepared' | 'unfinished'
}

/** Reads the state under a lock: until the transaction ends, nobody changes it or wraps anything. */
export async function lockRootKeyState(tx: Tx): Promise<RootKeyState> {
  await tx
    .updateTable('instance')
    .set((row) => ({ rootKeyId: row.ref('rootKeyId') }))
    .execute()
  return readRootKeyState(tx)
}

/**
 * Returns the key to wrap with, and locks it until the transaction ends. So a rotation finds everything that was wrapped under the
 * previous key.
 */
export async function holdRootKey(tx: Tx, { rootKeys }: Instance): Promise<WrappingKey> {
  const query = tx.selectFrom('instance').select('rootKeyId')
  const { rootKeyId } = await (locksRows(tx) ? query.forShare() : query).executeTakeFirstOrThrow()
  const key = rootKeys.byId.get(rootKeyId)
  if (key === undefined) throw unavailable('the root key was replaced, and this server does not have the new one')
  return key
}

/** Makes `key` the current root key and wraps the instance key again under it. */
export async function replaceRootKey(tx: Tx, { id, rootKeys }: Instance, key: WrappingKey, at: number): Promise<void> {
  const row = await tx.selectFrom('instance').select(['rootKeyId', 'wrappedInstanceKey']).executeTakeFirstOrThrow()
  const context = instanceKeyContext(id)
  const instanceKey = unwrapKey(rootKeys.byId, row.wrappedInstanceKey, context)
  await tx
    .updateTable('instance')
    .set({
      rootKeyId: key.id,
      rootKeyCheck: keyCheckValue(key.key),
      wrappedInstanceKey: wrapKey(key, instanceKey, context),
      rootKeySince: at,
      formerRootKeyId: row.rootKeyId,
    })
    .execute()
}

export async function forgetFormerRootKey(tx: Tx): Promise<void> {
  await tx.updateTable('instance').set({ formerRootKeyId: null }).execute()
}
