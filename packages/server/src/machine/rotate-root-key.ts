import { z } from 'zod'
import { forbidden, invalid } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { ownCode, ownPassword, proveAll } from '../sign-in/prove-identity.ts'
import { changeRootKey, describeRootKey, exampleRootKey, rootKeyRecord } from './root-key.ts'

export const readRootKey = operation({
  name: 'read-root-key',
  for: { person: 'GET /api/system/root-key' },
  summary:
    'Get where the root key comes from, since when it is in use, and whether a rotation is unfinished. Owner only.',
  effect: 'read',
  outdatedBy: ['settings'],
  input: z.object({}),
  output: z.looseObject({ rootKey: rootKeyRecord.nullable().describe('Null unless you are the owner.') }),
  examples: { input: {}, output: { rootKey: exampleRootKey } },
  run: async (_input, ctx) => ({ rootKey: ctx.actor.isOwner ? await describeRootKey(ctx) : null }),
})

export const rotatedRecord = z.looseObject({
  changed: z.boolean().describe('False if nothing was changed; `next` says why.'),
  rootKey: rootKeyRecord,
  formerKeyFile: z
    .string()
    .nullable()
    .describe('Where the previous key is kept, for older backups; null if it came from a setting.'),
  damaged: z.int().describe("Wrapped keys that the previous key didn't open either. They stay unchanged."),
  next: z.array(z.string()).describe('What the operator still has to do, in order.'),
})

export const rotateRootKey = operation({
  name: 'rotate-root-key',
  for: { person: 'POST /api/system/root-key/rotate' },
  summary:
    'Rotate the root key, or continue an interrupted rotation. Every key that it wraps is wrapped again. Owner only.',
  effect: 'write',
  changes: ['settings'],
  errors: ['conflict'],
  input: z.object({
    password: ownPassword.optional().describe('Your password. Not needed when the operator acts for you.'),
    code: ownCode,
  }),
  output: rotatedRecord,
  examples: {
    input: { password: 'a long and private sentence' },
    output: {
      changed: true,
      rootKey: exampleRootKey,
      formerKeyFile: '/etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.until-2026-11-22.41d07be6a8539f2c.key',
      damaged: 0,
      next: [
        'Copy the new key to where you keep it, away from the backups: /etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key',
      ],
    },
  },
  async run({ password, code }, ctx) {
    if (!ctx.actor.isOwner) throw forbidden('Only the owner of this server can change the root key.')
    // Anyone with the operator's token can read the key itself.
    const isOperator = ctx.actor.credentialId === undefined
    if (!isOperator && password === undefined) throw invalid({ password: 'required (string)' })
    if (password !== undefined) await proveAll(ctx, { password, code })
    const { formerKeyFile, ...change } = await changeRootKey(ctx)
    return { ...change, rootKey: await describeRootKey(ctx), formerKeyFile: formerKeyFile ?? null }
  },
})
