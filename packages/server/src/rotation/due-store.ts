import type { Reader, Tx } from '../db/dialect.ts'
import { lockRootKeyState } from '../instance/root-key-store.ts'

/** When someone last asked for new keys. Keys from before that are replaced. */
export interface KeysDue {
  /** The master keys of users; 0 if nobody has asked. */
  users: number
  /** The keys of vaults; 0 if nobody has asked. */
  vaults: number
}

export async function readKeysDue(db: Reader): Promise<KeysDue> {
  const row = await db.selectFrom('instance').select(['userKeysDue', 'vaultKeysDue']).executeTakeFirstOrThrow()
  return { users: row.userKeysDue ?? 0, vaults: row.vaultKeysDue ?? 0 }
}

/** The same, locked until the transaction ends. */
export async function lockKeysDue(tx: Tx): Promise<KeysDue> {
  await lockRootKeyState(tx)
  return readKeysDue(tx)
}

export async function askForKeys(tx: Tx, which: keyof KeysDue, at: number): Promise<void> {
  await tx
    .updateTable('instance')
    .set(which === 'users' ? { userKeysDue: at } : { vaultKeysDue: at })
    .execute()
}
