import { z } from 'zod'
import { forbidden, invalid } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { ownCode, ownPassword, proveAll } from '../sign-in/prove-identity.ts'
import { changeRootKey, describeRootKey, exampleRootKey, rootKeyRecord } from './root-key.ts'
import { askForNewKeys, describeStoredKeys, exampleStoredKeys, storedKeysRecord } from './stored-keys.ts'

export const readEncryptionKeys = operation({
  name: 'read-encryption-keys',
  for: { person: 'GET /api/system/encryption-keys' },
  summary:
    'Get where the root key comes from, since when it is in use, and how far rotations of encryption keys are. Owner only.',
  effect: 'read',
  outdatedBy: ['settings'],
  input: z.object({}),
  output: z.looseObject({
    rootKey: rootKeyRecord.nullable().describe('Null unless you are the owner.'),
    storedKeys: storedKeysRecord.nullable().describe('Null unless you are the owner.'),
  }),
  examples: { input: {}, output: { rootKey: exampleRootKey, storedKeys: exampleStoredKeys } },
  run: async (_input, ctx) =>
    ctx.actor.isOwner
      ? { rootKey: await describeRootKey(ctx), storedKeys: await describeStoredKeys(ctx, ctx.now()) }
      : { rootKey: null, storedKeys: null },
})

export const rotatedRecord = z.looseObject({
  changed: z.boolean().describe('False if nothing was started or changed; `next` says why.'),
  rootKey: rootKeyRecord,
  storedKeys: storedKeysRecord,
  formerKeyFile: z
    .string()
    .nullable()
    .describe('Where the previous root key is kept, for older backups; null if it came from a setting.'),
  damaged: z.int().describe("Wrapped keys that the previous root key didn't open either. They stay unchanged."),
  next: z.array(z.string()).describe('What the operator still has to do, in order.'),
})

export const rotateEncryptionKeys = operation({
  name: 'rotate-encryption-keys',
  for: { person: 'POST /api/system/encryption-keys/rotate' },
  summary:
    'Rotate the root key, the keys of all users, or the keys of all vaults, or continue an interrupted rotation. Reads and writes keep working. Owner only.',
  effect: 'write',
  changes: ['settings'],
  errors: ['conflict'],
  input: z.object({
    keys: z
      .enum(['root', 'users', 'vaults'])
      .default('root')
      .describe(
        'Which keys. `root` wraps the keys of users again, at once. `users` replaces these and wraps the keys of vaults again, in about five minutes. `vaults` replaces those and encrypts all content again, in the background.',
      ),
    password: ownPassword.optional().describe('Your password. Not needed when the operator acts for you.'),
    code: ownCode,
  }),
  output: rotatedRecord,
  examples: {
    input: { keys: 'root', password: 'a long and private sentence' },
    output: {
      changed: true,
      rootKey: exampleRootKey,
      storedKeys: exampleStoredKeys,
      formerKeyFile: '/etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.until-2026-11-22.41d07be6a8539f2c.key',
      damaged: 0,
      next: [
        'Copy the new key to where you keep it, away from the backups: /etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key',
      ],
    },
  },
  async run({ keys, password, code }, ctx) {
    if (!ctx.actor.isOwner) throw forbidden('Only the owner of this server can rotate encryption keys.')
    // Anyone with the operator's token can read the root key itself.
    const isOperator = ctx.actor.credentialId === undefined
    if (!isOperator && password === undefined) throw invalid({ password: 'required (string)' })
    if (password !== undefined) await proveAll(ctx, { password, code })
    const change = keys === 'root' ? await changeRootKey(ctx) : await start(ctx, keys)
    return {
      ...change,
      formerKeyFile: change.formerKeyFile ?? null,
      rootKey: await describeRootKey(ctx),
      storedKeys: await describeStoredKeys(ctx, ctx.now()),
    }
  },
})

async function start(ctx: Parameters<typeof askForNewKeys>[0], keys: 'users' | 'vaults') {
  const changed = await askForNewKeys(ctx, keys)
  const next = changed
    ? 'The server continues by itself, also after a restart.'
    : 'A rotation of these keys has begun less than ten minutes ago, or is not finished. The server continues it by itself.'
  return { changed, formerKeyFile: undefined, damaged: 0, next: [next] }
}
