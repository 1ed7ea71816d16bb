import { z } from 'zod'
import { forbidden, invalid } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { ownPassword } from './confirm-password.ts'
import { proveAll } from './prove-factor.ts'
import { changeRootKey, describeRootKey, exampleRootKey, rootKeyRecord } from './root-key.ts'
import { code } from './second-factor.ts'

export const rotatedRecord = z.looseObject({
  changed: z.boolean().describe('False where there was nothing to do; `next` says why.'),
  rootKey: rootKeyRecord,
  formerKeyFile: z
    .string()
    .nullable()
    .describe('Where the former key is kept for backups from before; null where it came from a setting.'),
  damaged: z.int().describe('Wrapped keys that did not open under the former key either. They stay as they are.'),
  next: z.array(z.string()).describe('What is left to do for whoever runs the server, in order.'),
})

export const rotateRootKey = operation({
  name: 'rotate-root-key',
  for: { person: 'POST /api/system/root-key/rotate' },
  summary:
    'Change the root key, or go on with a change that was cut short: every key that it wraps is wrapped anew. For the owner alone.',
  effect: 'write',
  changes: ['settings'],
  input: z.object({
    password: ownPassword.optional().describe('Your password. The operator, who acts in your place, needs none.'),
    code: code.optional().describe('Where you have a second factor: what the app shows now, or a recovery code.'),
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
        'Copy the key anew to where you keep it, away from the backups: /etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key',
      ],
    },
  },
  async run({ password, code: typed }, ctx) {
    if (!ctx.actor.isOwner) throw forbidden('The root key is for the owner of this server to change.')
    // Whoever holds the operator's token can read the key itself.
    const isOperator = ctx.actor.credentialId === undefined
    if (!isOperator && password === undefined) throw invalid({ password: 'required (string)' })
    if (password !== undefined) await proveAll(ctx, { password, code: typed })
    const { formerKeyFile, ...change } = await changeRootKey(ctx)
    return { ...change, rootKey: await describeRootKey(ctx), formerKeyFile: formerKeyFile ?? null }
  },
})
