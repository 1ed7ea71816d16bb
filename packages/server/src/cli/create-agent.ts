import { z } from 'zod'
import { createIntegration } from '../integrations/create-integration.ts'
import { createdKey, createKey } from '../integrations/create-key.ts'
import { deleteIntegration } from '../integrations/delete-integration.ts'
import { integrationRecord } from '../integrations/integration.ts'
import type { Caller } from './caller.ts'
import { findUserId, findVaultId } from './find-by-name.ts'
import { readAnswer } from './read-answer.ts'

export interface NewAgent {
  label: string
  preset: string
  /** What the agent is known by where a call does not say; the label where none is given. */
  agentId?: string
  /** Name or id of the vault to confine it to. */
  vault?: string
  /** Whose agent; the owner's where none is given. */
  email?: string
}

const made = z.object({ integration: integrationRecord })

/** An integration and its key, or neither: without the key nobody could use it, and a second try would leave a second one. */
export async function createAgent({ call }: Caller, { email, label, preset, agentId, vault }: NewAgent) {
  const actAs = await findUserId(call, email)
  const vaultId = vault === undefined ? undefined : await findVaultId(call, actAs, vault)
  const restriction = vaultId === undefined ? {} : { restrictToVault: true, vaults: [{ vaultId }] }
  const answer = await call(createIntegration, { label, preset, agentId, ...restriction }, { actAs })
  const { id: integrationId, primaryVaultId } = readAnswer(made, answer).integration
  const created = await call(createKey, { integrationId, label }, { actAs }).catch(async (error: unknown) => {
    // Where this fails as well, the first failure is still the one to tell.
    await call(deleteIntegration, { id: integrationId }, { actAs }).catch(() => {})
    throw error
  })
  const { key, agentKey } = readAnswer(createdKey, created)
  return { integrationId, keyId: key.id, label, preset, vaultId: primaryVaultId, agentKey }
}
