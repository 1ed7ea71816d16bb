import { unavailable } from '../core/errors.ts'
import { keyCheckValue, unwrapKey, wrapKey, type WrappingKey } from '../crypto/keys.ts'
import { locksRows, type Reader, type Tx } from '../db/dialect.ts'
import { instanceKeyContext, type Instance } from './instance.ts'

/** Which root key is in use, by the row of the instance. Whoever wraps or changes something by it holds the row until they are done. */
interface RootKeyState {
  /** The id of the key that wraps. */
  current: string
  /** The id of the one before, while some may still be wrapped under it. */
  former: string | undefined
  /** When the present one came. */
  since: number
  /** Whether it is the first. */
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

/** What people are told of it. `prepared`: a new key lies beside the one in use; `unfinished`: not all is wrapped under that yet. */
export async function readRootKeyUse(db: Reader, { rootKeys }: Instance): Promise<RootKeyUse> {
  const { current, former, since } = await readRootKeyState(db)
  if (former !== undefined) return { since, state: 'unfinished' }
  return { since, state: rootKeys.primary.id === current ? 'settled' : 'prepared' }
}

export interface RootKeyUse {
  since: number
  state: 'settled' | 'prepared' | 'unfinished'
}

/** The state, which nobody changes and under which nobody wraps anything until the transaction ends. */
export async function lockRootKeyState(tx: Tx): Promise<RootKeyState> {
  await tx
    .updateTable('instance')
    .set((row) => ({ rootKeyId: row.ref('rootKeyId') }))
    .execute()
  return readRootKeyState(tx)
}

/**
 * The key to wrap with. It stays the one until the transaction ends, so that whoever changes it finds all that was wrapped under the
 * one before.
 */
export async function holdRootKey(tx: Tx, { rootKeys }: Instance): Promise<WrappingKey> {
  const query = tx.selectFrom('instance').select('rootKeyId')
  const { rootKeyId } = await (locksRows(tx) ? query.forShare() : query).executeTakeFirstOrThrow()
  const key = rootKeys.byId.get(rootKeyId)
  if (key === undefined) throw unavailable('the root key was changed, and this server does not have the new one')
  return key
}

/** From now on `key` wraps; the instance's own key is wrapped anew. */
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
