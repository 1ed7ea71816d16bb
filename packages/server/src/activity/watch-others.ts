import type { Services } from '../operation/context.ts'
import type { Operation } from '../operation/operation.ts'
import { idAt, listEntriesSince } from '../calls/activity-store.ts'

/**
 * Sends pages connected to this server news of changes that other servers make in the same database, read from the activity.
 * Polls only while someone is connected.
 */

const usualMs = 3_000
/**
 * An id contains the time its call began, but the row appears only at the commit, and servers' clocks differ. Each poll
 * looks back this far.
 */
const lateMs = 15_000

export function watchOthers(
  { db, news, callLog, log }: Pick<Services, 'db' | 'news' | 'log'> & { callLog: Pick<Services['callLog'], 'isOwn'> },
  operations: readonly Pick<Operation, 'name' | 'changes'>[],
  everyMs = usualMs,
) {
  const changesByName = new Map(operations.map(({ name, changes }) => [name, changes]))
  let seen = new Set<string>()
  let lookedAt = Date.now()
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const followed = news.followed()
    const began = Date.now()
    // If a poll fails, the next one reads its time range, too.
    const rows = followed.length === 0 ? [] : await listEntriesSince(db.read, followed, idAt(lookedAt - lateMs))
    lookedAt = began
    const before = seen
    seen = new Set(rows.map(({ id }) => id))
    // The first poll includes the last few seconds, because a page may have loaded before one of those changes.
    for (const { id, userId, vaultId, operation, actor, class: group } of rows) {
      if (before.has(id) || callLog.isOwn(id)) continue
      // A dry run is a read, whatever its operation changes otherwise.
      if (group !== 'read')
        news.announce(userId, vaultId ?? undefined, changesByName.get(operation) ?? ['memories', 'tasks'])
      if (actor === 'agent') news.announceCall(userId)
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.debug("could not read other servers' activity", { error }))
      .finally(() => (looking = undefined))
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
