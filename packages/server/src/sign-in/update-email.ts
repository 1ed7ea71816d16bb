import { z } from 'zod'
import { refuseWeakPassword } from '../accounts/password.ts'
import { findUserByEmail, updateProfile } from '../accounts/store.ts'
import { describeUser, exampleUser, userRecord } from '../accounts/user.ts'
import { email } from '../operation/fields.ts'
import { invalid } from '../core/errors.ts'
import type { Reader } from '../db/dialect.ts'
import type { PersonContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { ownCode, ownPassword, proveAll } from './prove-identity.ts'

export const updateEmail = operation({
  name: 'update-email',
  for: { person: 'POST /api/auth/email' },
  summary:
    'Change the email address that you sign in with. No email is sent. Your sessions, tokens and agent keys keep working.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    password: ownPassword,
    code: ownCode,
    email: email.describe('The new address, to sign in with from now on.'),
  }),
  output: z.looseObject({ user: userRecord }),
  examples: {
    input: { password: 'a long and private sentence', email: 'ada@example.org' },
    output: { user: exampleUser },
  },
  async run({ password, code, email: address }, ctx) {
    // Before the proof, which uses up the code.
    refuseWeakPassword(password, address)
    await proveAll(ctx, { password, code })
    return { user: describeUser(await save(ctx, address)) }
  },
})

async function save(
  { actor: { userId }, db, instance }: Pick<PersonContext, 'actor' | 'db' | 'instance'>,
  address: string,
) {
  const refuseTaken = async (reader: Reader) => {
    const owner = await findUserByEmail(reader, instance, address)
    if (owner !== undefined && owner.userId !== userId) throw invalid({ email: 'already belongs to a user' })
  }
  try {
    return await db.write(async (tx) => {
      await refuseTaken(tx)
      return updateProfile(tx, instance, userId, { email: address })
    })
  } catch (error) {
    // Another user may have taken the address at the same moment, which the database rejects.
    await refuseTaken(db.read)
    throw error
  }
}
