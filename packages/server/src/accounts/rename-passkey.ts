import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { renamePasskey as rename } from './passkey-store.ts'
import { describePasskey, examplePasskey, passkeyId, passkeyName, passkeyRecord } from './passkey.ts'

export const renamePasskey = operation({
  name: 'rename-passkey',
  for: { person: 'PATCH /api/auth/passkeys' },
  summary: 'Call one of your passkeys something else. Your device goes on calling it what it likes.',
  effect: 'write',
  changes: ['account'],
  about: ({ id }) => refs('passkey', id),
  input: z.object({ id: passkeyId, name: passkeyName }),
  output: z.looseObject({ passkey: passkeyRecord }),
  examples: {
    input: { id: examplePasskey.id, name: 'Laptop' },
    output: { passkey: { ...examplePasskey, name: 'Laptop' } },
  },
  async run(given, { actor: { userId, mekVersion }, mek, db, keyring, now }) {
    const renamed = await db.write(async (tx) => {
      const keys = await ensurePrivateScope(tx, keyring, { userId, mek, mekVersion }, now())
      return rename(tx, keys, { userId, ...given })
    })
    return { passkey: describePasskey(renamed) }
  },
})
