import type { AgentActor } from '../auth/actor.ts'
import { openProfile } from '../auth/store.ts'
import type { Keyring } from '../auth/keyring.ts'
import type { RunNews } from '../calls/runs.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { lockToSeal } from '../vault-index/stored/store.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { recordSighting } from './agent-store.ts'
import { insertRunCalls } from './run-call-store.ts'
import { recordRun } from './run-store.ts'

interface Deps {
  db: Database
  instance: Instance
  keyring: Keyring
}

/** Writes updates of runs and of agents without a run in one vault. Writes nothing if the vault was erased. */
export async function writeRuns({ db, instance, keyring }: Deps, news: readonly RunNews[]): Promise<void> {
  const [first] = news
  if (first === undefined) return
  const { actor, vaultId } = first
  // The keys of the calls may have been replaced: a machine sleeps, a store is down.
  const keys = await unlock({ db, keyring }, actor, vaultId)
  if (keys === undefined) return
  const named = news.map((one) => ({ ...one, ...nameOf(instance, one) }))
  const scope = { id: vaultId, userId: actor.userId, keys }
  await db.write(async (tx) => {
    if (!(await lockToSeal(tx, scope))) return
    for (const { agentRunId, outcomes, ...one } of named) {
      const seen = { ...one, integrationId: one.actor.integrationId }
      if (agentRunId === undefined) {
        await recordSighting(tx, scope, seen)
        continue
      }
      const { id } = await recordRun(tx, scope, { ...seen, agentRunId })
      await insertRunCalls(tx, scope, id, outcomes)
    }
  })
}

async function unlock(
  { db, keyring }: Pick<Deps, 'db' | 'keyring'>,
  actor: AgentActor,
  vaultId: string,
): Promise<ScopeKeys | undefined> {
  const found = await findVaultKeys(db.read, actor.userId, vaultId)
  if (found === undefined || actor.wrappedMek === undefined) return undefined
  return keyring.vault(keyring.mek(actor), actor.userId, vaultId, found.keys)
}

/** Opened before the transaction. */
function nameOf(instance: Instance, { agentId, actor }: RunNews): { agentId: string; isNamed: boolean } {
  if (agentId !== undefined) return { agentId, isNamed: true }
  const profile = openProfile(instance, actor, actor)
  return { agentId: profile.agentId ?? profile.label, isNamed: false }
}
