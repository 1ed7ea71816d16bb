import { dayMs } from '../core/time.ts'
import { purgeArchived } from '../memories/purge-store.ts'
import { purgeMessages } from '../messages/store.ts'
import type { Services } from '../operation/context.ts'
import { purgeRuns } from '../sessions/run-store.ts'
import { purgeTurns } from '../sessions/turn-store.ts'
import { listVaultsWithSettings, openSettings } from '../vaults/settings-store.ts'
import { forEachVault } from './each-vault.ts'
import type { Job } from './scheduler.ts'
import { unlockVault } from './unlock-vault.ts'

const everyMs = 3_600_000

/** Deletes for good what a vault's settings say is old enough; by default nothing ever is. Items: deleted records. */
export function applyRetention(services: Services): Job {
  return {
    name: 'apply-retention',
    everyMs,
    async run(signal, done) {
      await forEachVault(await listVaultsWithSettings(services.db.read), signal, async ({ userId, vaultId }) => {
        const vault = await unlockVault(services, userId, vaultId)
        if (vault !== undefined) await applyTo(services, vault, signal, done)
      })
    },
  }
}

type Vault = NonNullable<Awaited<ReturnType<typeof unlockVault>>>

async function applyTo(services: Services, vault: Vault, signal: AbortSignal, done?: (items: number) => void) {
  const { db, now } = services
  const { turnsDays, messagesDays, archivedDays } = openSettings(vault).retention
  const purge = async (days: number | null, purgeSome: (before: number) => Promise<number>) => {
    if (days === null) return
    let deleted = -1
    while (deleted !== 0 && !signal.aborted) {
      deleted = await purgeSome(now() - days * dayMs)
      done?.(deleted)
    }
  }
  await purge(turnsDays, (before) => purgeTurns(db, vault, before))
  // A run says when which agent took its turns.
  await purge(turnsDays, (before) => purgeRuns(db, vault, before))
  await purge(messagesDays, (before) => purgeMessages(db, { userId: vault.userId, vaultId: vault.id }, before))
  if (archivedDays !== null) await purgeMemories(services, vault, now() - archivedDays * dayMs, signal, done)
}

async function purgeMemories(
  services: Services,
  vault: Vault,
  before: number,
  signal: AbortSignal,
  done?: (items: number) => void,
) {
  let all = 0
  let isDone = false
  while (!isDone && !signal.aborted) {
    const some = await purgeArchived(services.db, vault, before, services.now())
    isDone = some.isDone
    all += some.purged
    done?.(some.purged)
  }
  // Those from before went with what is deleted.
  const changed = all > 0 ? await unlockVault(services, vault.userId, vault.id) : undefined
  if (changed !== undefined) await services.indexes.save(changed)
}
