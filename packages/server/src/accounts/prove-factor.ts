import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { forbidden, invalid } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import type { PersonContext } from '../operation/context.ts'
import { judgeOwn } from './confirm-password.ts'
import { findFactor } from './factor-store.ts'
import { takeCode, wrongCode } from './second-factor.ts'
import type { User } from './store.ts'

/**
 * Does what takes away or weakens a second factor, for whoever has shown both it and the password. The code is taken in the
 * same transaction.
 */
export function withBothFactors<T>(
  ctx: PersonContext,
  { password, code }: { password: string; code: string },
  change: (tx: Tx, at: number) => Promise<T>,
): Promise<T> {
  const { userId, mekVersion } = ctx.actor
  return judgeOwn(ctx, password, () =>
    ctx.db.write(async (tx) => {
      const at = ctx.now()
      const factor = await findFactor(tx, userId)
      if (factor?.confirmedAt === undefined) return { unfinished: forbidden('There is no second factor.') }
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek, mekVersion }, at)
      if (!(await takeCode(tx, keys, { userId, code, at }))) return { wrong: wrongCode('code') }
      return { proven: await change(tx, at) }
    }),
  )
}

/** Whose account it is, once they have shown all that their log-in asks for: the password, and a code where there is a second factor. */
export function proveAll(
  ctx: PersonContext,
  { password, code }: { password: string; code: string | undefined },
): Promise<User> {
  const { userId, mekVersion } = ctx.actor
  return judgeOwn(ctx, password, (user) =>
    ctx.db.write(async (tx) => {
      const at = ctx.now()
      const factor = await findFactor(tx, userId)
      if (factor?.confirmedAt === undefined) return { proven: user }
      if (code === undefined) return { unfinished: invalid({ code: 'needed: this account has a second factor' }) }
      const keys = await ensurePrivateScope(tx, ctx.keyring, { userId, mek: ctx.mek, mekVersion }, at)
      return (await takeCode(tx, keys, { userId, code, at })) ? { proven: user } : { wrong: wrongCode('code') }
    }),
  )
}
