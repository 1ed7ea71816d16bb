import { newId } from '../core/ids.ts'
import { type CellAddress, openText, sealText } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import { equalBytes } from '../crypto/secrets.ts'
import { locksRows, type Reader, type Tx } from '../db/dialect.ts'

/**
 * A person's second factor and hashes of their recovery codes. The secret is sealed under the keys of the person's
 * private scope. Sign-in doesn't ask for a factor before it is confirmed.
 */
interface SecondFactor {
  createdAt: number
  confirmedAt: number | undefined
}

export async function findFactor(db: Reader, userId: string): Promise<SecondFactor | undefined> {
  const row = await db
    .selectFrom('secondFactors')
    .select(['createdAt', 'confirmedAt'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row && { createdAt: row.createdAt, confirmedAt: row.confirmedAt ?? undefined }
}

interface NewFactor {
  userId: string
  secret: string
  at: number
  /** An unconfirmed factor that was started after this time is kept. */
  openSince: number
}

/** Replaces a factor that was never confirmed. If there is a confirmed or still open one, returns it and writes nothing. */
export async function insertFactor(
  tx: Tx,
  keys: ScopeKeys,
  { userId, secret, at, openSince }: NewFactor,
): Promise<SecondFactor | undefined> {
  // Each secret has its own id, so one can't be swapped for another in the database.
  const id = newId()
  const sealed = sealText(keys, 'content', secretAddress(userId, id), secret)
  const made = { id, secret: sealed, createdAt: at, confirmedAt: null, lastStep: 0, wrongCodes: 0, lastWrongAt: null }
  const row = await tx
    .insertInto('secondFactors')
    .values({ userId, ...made })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet(made)
        .where('secondFactors.confirmedAt', 'is', null)
        .where('secondFactors.createdAt', '<=', openSince),
    )
    .returning('id')
    .executeTakeFirst()
  return row === undefined ? findFactor(tx, userId) : undefined
}

/** The secret in base32; undefined if there is no factor. */
export async function findSecret(db: Reader, keys: ScopeKeys, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('secondFactors')
    .select(['id', 'secret'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row && openText(keys, 'content', secretAddress(userId, row.id), row.secret)
}

/** Turns the factor on. The code that confirmed it counts as used. Returns false if it was already confirmed. */
export async function confirmFactor(
  tx: Tx,
  userId: string,
  { step, at }: { step: number; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('secondFactors')
    .set({ confirmedAt: at, lastStep: step })
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false if a code of this time step or a later one was used already. If two arrive at once, one wins. */
export async function claimStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface WrongCodes {
  /** Since the last right one. */
  count: number
  lastAt: number
}

/** Locks the row until the transaction ends, so that guesses at the same moment are judged one after the other. */
export async function findWrongCodes(tx: Tx, userId: string): Promise<WrongCodes | undefined> {
  const row = await tx
    .selectFrom('secondFactors')
    .select(['wrongCodes', 'lastWrongAt'])
    .where('userId', '=', userId)
    .$if(locksRows(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  return row === undefined || row.lastWrongAt === null ? undefined : { count: row.wrongCodes, lastAt: row.lastWrongAt }
}

/** `undefined` after a right code. */
export async function setWrongCodes(tx: Tx, userId: string, wrong: WrongCodes | undefined): Promise<void> {
  await tx
    .updateTable('secondFactors')
    .set({ wrongCodes: wrong?.count ?? 0, lastWrongAt: wrong?.lastAt ?? null })
    .where('userId', '=', userId)
    .execute()
}

/** Also deletes the recovery codes. Returns false if there was no factor. */
export async function deleteFactor(tx: Tx, userId: string): Promise<boolean> {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  const { numDeletedRows } = await tx.deleteFrom('secondFactors').where('userId', '=', userId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Replaces all recovery codes. The previous ones stop working. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  { hashes, at }: { hashes: readonly Uint8Array[]; at: number },
): Promise<void> {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  const rows = hashes.map((codeHash) => ({ userId, codeHash, createdAt: at }))
  await tx.insertInto('recoveryCodes').values(rows).execute()
}

/** Uses up a recovery code. Returns false if there is no such code. If two requests use it at once, one wins. */
export async function claimRecoveryCode(tx: Tx, userId: string, codeHash: Uint8Array): Promise<boolean> {
  const rows = await tx.selectFrom('recoveryCodes').select('codeHash').where('userId', '=', userId).execute()
  const found = rows.find((row) => equalBytes(row.codeHash, codeHash))
  if (found === undefined) return false
  const { numDeletedRows } = await tx
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', found.codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Reader, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return total
}

const secretAddress = (userId: string, id: string): CellAddress => ({
  userId,
  scopeId: userId,
  table: 'secondFactors',
  rowId: id,
  column: 'secret',
  revision: 1,
})
