import { z } from 'zod'
import { presets, type Preset } from '../auth/presets.ts'
import { alreadySetUp, invalid } from '../core/errors.ts'
import type { Services } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { vaultFields } from '../vaults/vault.ts'
import { createAccountWithAgent } from './create-account.ts'
import { email } from './email.ts'
import { hashPassword, password, refuseWeakPassword } from './password.ts'
import { hasOwner } from './store.ts'

/** What both ways of setting up share: by the one-time token, and by the operator. */

export const setUpFields = {
  email,
  password,
  vaultName: vaultFields.name.default('Main').describe('Name of the first vault.'),
  label: fields.senderName.default('First agent').describe('What the first integration is called.'),
  preset: z.enum(presets).default('admin').describe("What the first integration's key may do."),
}

export const setUpRecord = z.looseObject({
  userId: z.uuid(),
  vaultId: z.uuid(),
  integrationId: z.uuid(),
  agentKey: z.string().describe('For agents; shown once.'),
  dashboardToken: z.string().describe('For the dashboard API; shown once.'),
})

export const exampleSetUp = {
  input: { email: 'ada@example.org', password: 'a long and private sentence' },
  output: {
    userId: '0198c5f0-0000-7000-8000-000000000010',
    vaultId: '0198c5f0-0000-7000-8000-000000000001',
    integrationId: '0198c5f0-0000-7000-8000-000000000011',
    agentKey: 'svc_…',
    dashboardToken: 'hfd_…',
  },
}

export async function refuseSecondSetUp({ db }: Services): Promise<void> {
  if (await hasOwner(db.read)) throw alreadySetUp()
}

interface SetUp {
  email: string
  password: string
  vaultName: string
  label: string
  preset: Preset
}

/** Makes the owner. Of two at once one wins, by the database's own rule; the other is told as if it had come later. */
export async function makeOwner(services: Services, given: SetUp): Promise<z.infer<typeof setUpRecord>> {
  refuseWeakPassword(given.password, given.email)
  const passwordHash = await hashPassword(given.password)
  const account = { email: given.email, passwordHash, isOwner: true, vaultName: given.vaultName }
  const created = await services.db.write(async (tx) => {
    const made = await createAccountWithAgent(tx, services, account, { label: given.label, preset: given.preset })
    if (made !== undefined) return made
    if (await hasOwner(tx)) throw alreadySetUp()
    throw invalid({ email: 'belongs to a user already' })
  })
  services.setupToken.discard()
  return { ...created }
}
