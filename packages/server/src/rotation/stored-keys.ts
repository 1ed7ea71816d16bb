import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import type { Reader } from '../db/dialect.ts'
import type { Services } from '../operation/context.ts'
import { askForKeys, type KeysDue, lockKeysDue, readKeysDue } from './due-store.ts'
import {
  type ChangingScope,
  countScopes,
  forgetStuckScopes,
  listChangingScopes,
  listScopesToRotate,
} from './rotation-progress-store.ts'
import { keptMs } from './scope-keys.ts'
import { countUserKeys, forgetStuckUsers, listStuckUsers } from './user-key-store.ts'

/** Starts and describes rotations of the keys that are stored in the database: master keys of users, and keys of vaults. */

const changingScope = z.looseObject({
  userId: z.uuid().describe('Whose vault it is.'),
  vaultId: z.uuid().nullable().describe("Null for the user's data outside of vaults."),
  step: z
    .enum(['announced', 'sealing', 'kept'])
    .describe(
      'announced: the new key is stored but not in use yet; sealing: rows are encrypted again; kept: all rows are done, and the former key is deleted soon.',
    ),
  rowsDone: z.int().describe('Rows that are encrypted with the new key.'),
  rowsTotal: z.int().describe('All rows; 0 until they have been counted.'),
  nextStepAt: z.string().nullable().describe('When the next step begins; null while rows are encrypted.'),
})

export const storedKeysRecord = z.looseObject({
  users: z.looseObject({
    askedAt: z.string().nullable().describe('When the last rotation began; null if there was none.'),
    total: z.int().describe('How many users have a key.'),
    left: z.int().describe('Keys of users that are not replaced yet.'),
    stuck: z.int().describe('How many of these can’t be replaced, because a key is damaged.'),
    stuckUserIds: z.array(z.uuid()).describe('The users of these keys; at most 100.'),
  }),
  vaults: z.looseObject({
    askedAt: z.string().nullable().describe('When the last rotation began; null if there was none.'),
    total: z.int().describe('How many keys of vaults there are, including one per user for data outside of vaults.'),
    left: z.int().describe('Keys that are not replaced yet, or whose former key is not deleted yet.'),
    rowsDone: z.int().describe('Rows that are encrypted with the new keys, in the vaults that are being rotated.'),
    rowsTotal: z.int().describe('All rows of these vaults, as far as they have been counted.'),
    changing: z.array(changingScope).describe('The vaults that are being rotated; at most 100.'),
    stuck: z
      .int()
      .describe(
        'How many of the keys that are left can’t be replaced, because something is damaged. The log names it. The server tries again every hour, and whenever someone asks for new keys.',
      ),
    stuckScopes: z
      .array(changingScope.pick({ userId: true, vaultId: true }))
      .describe('Where these keys are used; at most 100.'),
  }),
})

export type StoredKeys = z.infer<typeof storedKeysRecord>

export const exampleStoredKeys: StoredKeys = {
  users: { askedAt: null, total: 1, left: 0, stuck: 0, stuckUserIds: [] },
  vaults: {
    askedAt: '2026-11-22T09:00:00.000Z',
    total: 3,
    left: 1,
    rowsDone: 1200,
    rowsTotal: 4100,
    changing: [
      {
        userId: '0198c5f0-0000-7000-8000-000000000021',
        vaultId: '0198c5f0-0000-7000-8000-000000000001',
        step: 'sealing',
        rowsDone: 1200,
        rowsTotal: 4100,
        nextStepAt: null,
      },
    ],
    stuck: 0,
    stuckScopes: [],
  },
}

/** For ten minutes after a request, another one changes nothing: a lost answer is no reason to replace everything again. */
const restMs = 10 * 60_000

/** After a day, a rotation that isn't finished is stuck at something damaged, which must not keep all other keys from being replaced. */
const unfinishedMs = 24 * 3_600_000

/**
 * Asks for new keys, unless a rotation isn't finished or has just begun; then it tries again what is stuck. The jobs `rotate-user-keys` and
 * `rotate-vault-keys` do the work. Returns whether it asked.
 */
export const askForNewKeys = ({ db, now }: Pick<Services, 'db' | 'now'>, which: keyof KeysDue): Promise<boolean> =>
  db.write(async (tx) => {
    const due = await lockKeysDue(tx)
    const at = now()
    await (which === 'users' ? forgetStuckUsers(tx) : forgetStuckScopes(tx))
    const since = at - due[which]
    if (since < restMs || (since < unfinishedMs && (await countLeft(tx, which, due)) > 0)) return false
    await askForKeys(tx, which, at)
    return true
  })

const countLeft = async (db: Reader, which: keyof KeysDue, due: KeysDue): Promise<number> =>
  which === 'users'
    ? (await countUserKeys(db, due.users)).left
    : (await listChangingScopes(db)).length + (await listWaiting(db, due)).length

/** The scopes whose next key isn't stored yet. */
const listWaiting = (db: Reader, due: KeysDue) => listScopesToRotate(db, { due: due.vaults, maxSeals: maxSealsPerKey })

/**
 * AES-GCM with random nonces of 96 bits is safe for 2^32 messages per key (NIST SP 800-38D). Half of that leaves room for what servers
 * haven't counted yet.
 */
export const maxSealsPerKey = 2 ** 31

const shown = 100

export async function describeStoredKeys({ db }: Pick<Services, 'db'>, at: number): Promise<StoredKeys> {
  const due = await readKeysDue(db.read)
  const changing = await listChangingScopes(db.read)
  const waiting = await listWaiting(db.read, due)
  const stuck = [...changing, ...waiting].filter(({ stuckAt }) => stuckAt !== null)
  const stuckUsers = await listStuckUsers(db.read, due.users)
  const sum = (column: 'rowsDone' | 'rowsTotal') => changing.reduce((all, scope) => all + (scope[column] ?? 0), 0)
  return {
    users: {
      askedAt: askedAt(due.users),
      ...(await countUserKeys(db.read, due.users)),
      stuck: stuckUsers.length,
      stuckUserIds: stuckUsers.slice(0, shown),
    },
    vaults: {
      askedAt: askedAt(due.vaults),
      total: await countScopes(db.read),
      left: changing.length + waiting.length,
      rowsDone: sum('rowsDone'),
      rowsTotal: sum('rowsTotal'),
      changing: changing.slice(0, shown).map((scope) => describeScope(scope, at)),
      stuck: stuck.length,
      stuckScopes: stuck
        .slice(0, shown)
        .map(({ userId, scopeId }) => ({ userId, vaultId: vaultIdOf(userId, scopeId) })),
    },
  }
}

const vaultIdOf = (userId: string, scopeId: string): string | null => (scopeId === userId ? null : scopeId)

const askedAt = (at: number): string | null => isoTimeOrNull(at === 0 ? undefined : at)

function describeScope(scope: ChangingScope, at: number): StoredKeys['vaults']['changing'][number] {
  const { userId, scopeId, sealsFrom } = scope
  const [rowsDone, rowsTotal] = [scope.rowsDone ?? 0, scope.rowsTotal ?? 0]
  const isDone = scope.rowsTotal !== null && rowsDone === rowsTotal
  const step = at < sealsFrom ? 'announced' : isDone ? 'kept' : 'sealing'
  const nextStepAt = { announced: isoTime(sealsFrom), sealing: null, kept: isoTime(sealsFrom + keptMs) }[step]
  return { userId, vaultId: vaultIdOf(userId, scopeId), step, rowsDone, rowsTotal, nextStepAt }
}
