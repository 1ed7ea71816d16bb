import { z } from 'zod'
import { password, refuseWeakPassword } from '../accounts/password.ts'
import { hasOwner } from '../accounts/store.ts'
import { presets } from '../auth/vault-access.ts'
import { refs } from '../calls/records.ts'
import { alreadySetUp, invalid, unauthenticated } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import type { Services } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { vaultFields } from '../vaults/vault.ts'
import { createAccount, createAccountWithAgent, firstToken, firstTokenMs, type NewAccount } from './create-user.ts'

export const setUpRecord = z.looseObject({
  userId: z.uuid(),
  vaultId: z.uuid(),
  integrationId: z.uuid(),
  agentKey: z.string().describe('For agents; shown once.'),
  dashboardToken: firstToken,
})

type SetUp = Pick<NewAccount, 'email' | 'vaultName'> & { password: string }

/** Creates the owner. If two requests arrive at once, a database constraint lets one win; the other gets the same error as a later one. */
async function makeOwner<A extends object>(
  services: Pick<Services, 'db' | 'passwords' | 'setupToken'>,
  { email: address, password: chosen, vaultName }: SetUp,
  create: (tx: Tx, account: NewAccount) => Promise<A | undefined>,
): Promise<A> {
  refuseWeakPassword(chosen, address)
  const passwordHash = await services.passwords.hash(chosen)
  const account = { email: address, passwordHash, isOwner: true, vaultName, tokenMs: firstTokenMs }
  const created = await services.db.write(async (tx) => {
    const made = await create(tx, account)
    if (made !== undefined) return made
    if (await hasOwner(tx)) throw alreadySetUp()
    throw invalid({ email: 'already belongs to a user' })
  })
  services.setupToken.discard()
  return created
}

export const getSetup = operation({
  name: 'get-setup',
  for: { anyone: 'GET /api/setup' },
  summary: 'Check whether this instance still needs to be set up.',
  effect: 'read',
  input: z.object({}),
  output: z.looseObject({ needed: z.boolean() }),
  examples: { input: {}, output: { needed: true } },
  run: async (_input, { db }) => ({ needed: !(await hasOwner(db.read)) }),
})

export const setUp = operation({
  name: 'set-up',
  for: { operator: 'POST /api/operator/setup', anyone: 'POST /api/setup' },
  summary: 'Create the owner, a vault and a key for a first agent. Works once.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    token: z
      .string()
      .max(200)
      .optional()
      .describe('The setup token, from the file that the server names when it starts. Only the operator needs none.'),
    email: fields.newEmail,
    password,
    vaultName: vaultFields.name.default('Main').describe('Name of the first vault.'),
    label: fields.senderName.default('First agent').describe('Name of the first integration.'),
    preset: z.enum(presets).default('read_write').describe("What the first integration's key may do."),
    withAgent: z
      .boolean()
      .default(true)
      .describe('False: no first integration. `integrationId` and `agentKey` are then left out.'),
  }),
  output: setUpRecord.partial({ integrationId: true, agentKey: true }),
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { token: 'hfs_…', email: 'ada@example.org', password: 'a long and private sentence' },
    output: {
      userId: '0198c5f0-0000-7000-8000-000000000010',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      integrationId: '0198c5f0-0000-7000-8000-000000000011',
      agentKey: 'svc_…',
      dashboardToken: 'hfd_…',
    },
  },
  created: () => true,
  async run({ token, withAgent, ...given }, ctx) {
    if (await hasOwner(ctx.db.read)) throw alreadySetUp()
    if (!ctx.isOperator && token === undefined)
      throw invalid({ token: 'is missing: it is in the file that the server names when it starts' })
    if (!ctx.isOperator && !ctx.setupToken.accepts(token ?? '')) throw unauthenticated('setup token')
    const made = await makeOwner(ctx, given, (tx, account) =>
      withAgent ? createAccountWithAgent(tx, ctx, account, given) : createAccount(tx, ctx, account),
    )
    return { ...made }
  },
})
