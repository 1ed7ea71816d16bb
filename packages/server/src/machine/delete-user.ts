import { z } from 'zod'
import { findUserByEmail, getUser, setDisabled } from '../accounts/store.ts'
import { exampleUser, otherUserId } from '../accounts/user.ts'
import { email } from '../operation/fields.ts'
import { lockUser } from '../auth/store.ts'
import { refs } from '../calls/records.ts'
import { forbidden, invalid } from '../core/errors.ts'
import type { PersonContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { ownCode, ownPassword, proveAll } from '../sign-in/prove-identity.ts'
import { eraseRows } from '../vaults/erase-store.ts'
import { destroyKeyCopies } from '../vaults/finish-erasure.ts'
import { deleteUserRows, listVaultIds } from './delete-user-store.ts'
import { listGuests } from '../vaults/member-store.ts'

export const deleteUser = operation({
  name: 'delete-user',
  for: { person: 'POST /api/users/delete' },
  summary:
    'Delete a user permanently, with their vaults, agents, keys and everything they stored; their encryption keys are destroyed first. Owner only.',
  effect: 'destructive',
  changes: ['account'],
  about: ({ userId: deleted }) => refs('user', deleted),
  input: z.object({
    userId: otherUserId,
    email: email.describe("The user's exact email address, to prevent mistakes."),
    password: ownPassword.optional().describe('Your password. Not needed when the operator acts for you.'),
    code: ownCode,
  }),
  output: z.looseObject({ userId: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { userId: exampleUser.userId, email: exampleUser.email, password: 'a long and private sentence' },
    output: { userId: exampleUser.userId, deleted: true },
  },
  async run({ userId: deleted, email: typed, password, code }, ctx) {
    const { actor, db, instance } = ctx
    if (!actor.isOwner) throw forbidden('Only the owner of this server can delete users.')
    const user = await getUser(db.read, instance, deleted)
    if (user.isOwner) throw forbidden("The owner of this server can't be deleted.")
    // By the address that they sign in with, which may be damaged where it is shown.
    if ((await findUserByEmail(db.read, instance, typed))?.userId !== deleted)
      throw invalid({ email: "is not the user's email address; type it exactly" })
    // Anyone with the operator's token can read the keys themselves.
    const isOperator = actor.credentialId === undefined
    if (!isOperator && password === undefined) throw invalid({ password: 'required (string)' })
    if (password !== undefined) await proveAll(ctx, { password, code })
    await erase(ctx, deleted)
    return { userId: deleted, deleted: true } as const
  },
})

type Deps = Pick<
  PersonContext,
  'db' | 'backups' | 'indexes' | 'noteTitles' | 'news' | 'activity' | 'limits' | 'calls' | 'runs' | 'lastUsed' | 'now'
>

/**
 * Once the keys are deleted, nothing of theirs can be read. If a crash interrupts what follows, a job deletes the rows of
 * their vaults.
 */
async function erase(ctx: Deps, userId: string): Promise<void> {
  const { db, indexes, noteTitles, news } = ctx
  // First no new calls, then the counts that their last calls have left in memory.
  await db.write((tx) => setDisabled(tx, userId, ctx.now()))
  for (const kept of [ctx.activity, ctx.limits, ctx.calls, ctx.runs, ctx.lastUsed]) await kept.flush()
  const { vaultIds, guests } = await db.write(async (tx) => {
    await lockUser(tx, userId)
    const ids = await listVaultIds(tx, userId)
    const people = []
    for (const vaultId of ids) people.push(...(await listGuests(tx, { userId, vaultId })))
    await deleteUserRows(tx, userId, ctx.now())
    return { vaultIds: ids, guests: people }
  })
  news.announce(userId, undefined, ['account'])
  for (const personId of guests) news.announce(personId, undefined, ['vaults'])
  for (const vaultId of vaultIds) {
    indexes.forget(vaultId)
    noteTitles.forget(vaultId)
  }
  await destroyKeyCopies(ctx)
  for (const vaultId of vaultIds) await eraseRows(db, userId, vaultId)
  // What calls that were running at the start have recorded since.
  await db.write((tx) => deleteUserRows(tx, userId, ctx.now()))
}
