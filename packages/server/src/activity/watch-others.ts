import type { Services } from '../operation/context.ts'
import type { Operation } from '../operation/operation.ts'
import { idAt, listEntriesSince } from '../calls/activity-store.ts'

/**
 * Sends pages connected to this server news of changes that other servers make in the same database, read from the activity.
 * Polls only while someone is connected.
 */

const usualMs = 3_000
/** Ids get their time when a call begins, but rows appear when it commits, and clocks differ. */
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
    // The next poll also covers a failed one.
    const rows = followed.length === 0 ? [] : await listEntriesSince(db.read, followed, idAt(lookedAt - lateMs))
    lookedAt = began
    const before = seen
    seen = new Set(rows.map(({ id }) => id))
    // The first poll includes the last few seconds, because a page may have loaded before one of those changes.
    for (const { id, userId, vaultId, operation, actor } of rows) {
      if (before.has(id) || callLog.isOwn(id)) continue
      news.note(userId, vaultId ?? undefined, changesByName.get(operation) ?? ['memories', 'tasks'])
      if (actor === 'agent') news.noteCall(userId)
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
