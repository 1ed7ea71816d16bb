import type { AgentActor } from '../auth/actor.ts'
import { openProfile } from '../auth/integration-profile.ts'
import type { Keyring } from '../auth/keyring.ts'
import type { RunNews } from '../calls/runs.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { insertRunCalls } from './run-call-store.ts'
import { recordRun, type RunNews as CountedRun } from './run-store.ts'

interface Deps {
  db: Database
  instance: Instance
  keyring: Keyring
}

/** Writes what runs of one vault have done. A vault that is gone by now has no runs to count. */
export async function writeRuns({ db, instance, keyring }: Deps, runs: readonly RunNews[]): Promise<void> {
  const [first] = runs
  if (first === undefined) return
  const { actor, vaultId } = first
  const keys =
    runs.find(({ vault }) => vault !== undefined)?.vault?.keys ?? (await unlock({ db, keyring }, actor, vaultId))
  if (keys === undefined) return
  const news = runs.map((run) => ({ run: countedRun(instance, run), outcomes: run.outcomes }))
  const scope = { id: vaultId, userId: actor.userId, keys }
  await db.write(async (tx) => {
    if (!(await lockVault(tx, actor.userId, vaultId))) return
    for (const { run, outcomes } of news) {
      const { id } = await recordRun(tx, scope, run)
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

function countedRun(instance: Instance, run: RunNews): CountedRun {
  const { actor, agentRunId, agentId, modelId, calls, reads, writes, failures, checkpointAt, firstAt, lastAt } = run
  const name = { agentId: agentId ?? nameOf(instance, actor), isNamed: agentId !== undefined }
  const counts = { calls, reads, writes, failures, checkpointAt, firstAt, lastAt }
  return { agentRunId, ...name, modelId, integrationId: actor.integrationId, ...counts }
}

function nameOf(instance: Instance, actor: AgentActor): string {
  const { agentId, label } = openProfile(instance, actor, actor.profile)
  return agentId ?? label
}
