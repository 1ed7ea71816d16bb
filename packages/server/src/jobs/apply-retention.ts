import { listWithEntriesBefore, purgeEntries } from '../calls/activity-store.ts'
import { dayMs, dayOf } from '../core/time.ts'
import type { OwnerRange } from '../db/owner-range.ts'
import { listWithDaysBefore, purgeOldestDay } from '../calls/call-count-store.ts'
import { keptDays } from '../calls/call-counts.ts'
import { purgeArchived } from '../memories/purge-store.ts'
import { purgeMessages } from '../messages/store.ts'
import { purgeSettled } from '../proposals/store.ts'
import type { ChangeType } from '../calls/call.ts'
import type { Services } from '../operation/context.ts'
import { purgeSightings } from '../runs/agent-store.ts'
import { purgeRunCalls } from '../runs/run-call-store.ts'
import { purgeRuns } from '../runs/run-store.ts'
import { purgeTurns } from '../turns/turn-store.ts'
import { listVaultsWithSettings, openSettings } from '../vaults/settings-store.ts'
import { forEachVault, unlockVault } from './each-vault.ts'
import type { Job } from './scheduler.ts'
import { createSweep } from './sweep.ts'

const everyMs = 60_000
/** A round through all owners begins this long after the last one began. */
const restMs = 3_600_000
/** Each one with settings takes about a millisecond. */
const vaultsAtOnce = 1_000

/** How long the activity log is kept. */
const activityDays = 90
/** How long the individual calls of runs are kept. Their number stays with the run. */
const callsDays = 30
/** How long decided proposals are kept: the same change, proposed again, is still rejected. */
const settledDays = 30

type PurgeDeps = Pick<Services, 'db' | 'now'>
type Deps = PurgeDeps & Pick<Services, 'keyring' | 'indexes' | 'callLog'>

/**
 * Permanently deletes records that are older than the vault's settings allow; by default, all are kept. Also deletes the
 * activity log after 90 days, calls of runs and decided proposals after 30, and call counts after 400. Items: records deleted because of the
 * settings.
 */
export function applyRetention(services: Deps): Job {
  const { db, now } = services
  const sweep = createSweep({ now, restMs, atOnce: vaultsAtOnce })
  return {
    name: 'apply-retention',
    everyMs,
    async run(signal, done) {
      const owners = await sweep.next(db.read)
      if (owners === undefined) return
      await purgeActivity(services, owners, signal)
      await purgeOldCalls(services, signal)
      await purgeCallCounts(services, owners, signal)
      await purgeSettled(db, owners, now() - settledDays * dayMs)
      await forEachVault(await listVaultsWithSettings(db.read, owners), signal, async ({ userId, vaultId }) => {
        const vault = await unlockVault(services, userId, vaultId)
        if (vault !== undefined) await applyTo(services, vault, signal, done)
      })
    },
  }
}

async function purgeActivity({ db, now }: PurgeDeps, owners: OwnerRange, signal: AbortSignal) {
  const before = now() - activityDays * dayMs
  // After the clock was set back, by up to a day, some entries are older than the one with the oldest id.
  for (const userId of await listWithEntriesBefore(db.read, owners, before + dayMs)) {
    let deleted = -1
    while (deleted !== 0 && !signal.aborted) deleted = await purgeEntries(db, userId, before)
  }
}

/** In all vaults, regardless of their settings. */
async function purgeOldCalls({ db, now }: PurgeDeps, signal: AbortSignal) {
  const before = now() - callsDays * dayMs
  let deleted = -1
  while (deleted !== 0 && !signal.aborted) deleted = await purgeRunCalls(db, before)
}

/** Deletes counts of days that callers can no longer request. */
async function purgeCallCounts({ db, now }: PurgeDeps, owners: OwnerRange, signal: AbortSignal) {
  const firstDay = dayOf(now() - (keptDays - 1) * dayMs)
  for (const userId of await listWithDaysBefore(db.read, owners, firstDay)) {
    let isDeleted = true
    while (isDeleted && !signal.aborted) isDeleted = await purgeOldestDay(db, userId, firstDay)
  }
}

type Vault = NonNullable<Awaited<ReturnType<typeof unlockVault>>>

async function applyTo(services: Deps, vault: Vault, signal: AbortSignal, done?: (items: number) => void) {
  const { db, now, callLog } = services
  const { turnsDays, messagesDays, archivedDays } = openSettings(vault).retention
  const purge = async (type: ChangeType, days: number | null, purgeSome: (before: number) => Promise<number>) => {
    if (days === null) return
    let deleted = -1
    while (deleted !== 0 && !signal.aborted) {
      deleted = await purgeSome(now() - days * dayMs)
      done?.(deleted)
      if (deleted > 0)
        callLog.recordWork(vault.userId, vault.id, { name: 'apply-retention', changes: [type], records: deleted })
    }
  }
  await purge('runs', turnsDays, (before) => purgeTurns(db, vault, before))
  // Runs show when each agent was active, so they are deleted with the turns.
  await purge('runs', turnsDays, (before) => purgeRunCalls(db, before, vault))
  await purge('runs', turnsDays, (before) => purgeRuns(db, vault, before))
  await purge('agents', turnsDays, (before) => purgeSightings(db, vault, before))
  await purge('messages', messagesDays, (before) =>
    purgeMessages(db, { userId: vault.userId, vaultId: vault.id }, before),
  )
  if (archivedDays !== null) await purgeMemories(services, vault, now() - archivedDays * dayMs, { signal, done })
}

async function purgeMemories(
  services: Deps,
  vault: Vault,
  before: number,
  { signal, done }: { signal: AbortSignal; done: ((items: number) => void) | undefined },
) {
  let all = 0
  let isDone = false
  while (!isDone && !signal.aborted) {
    const some = await purgeArchived(services.db, vault, before, services.now())
    isDone = some.isDone
    all += some.purged
    done?.(some.purged)
  }
  if (all > 0)
    services.callLog.recordWork(vault.userId, vault.id, {
      name: 'apply-retention',
      changes: ['memories'],
      records: all,
    })
  // Deleting memories also deleted the vault's snapshots, so save a new one.
  const changed = all > 0 ? await unlockVault(services, vault.userId, vault.id) : undefined
  if (changed !== undefined) await services.indexes.save(changed)
}
