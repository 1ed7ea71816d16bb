import type { Services } from '../operation/context.ts'
import type { Operation } from '../operation/operation.ts'
import { idAt, listEntriesSince } from '../calls/activity-store.ts'

/**
 * What other servers of the same database do, told to the pages that listen here: every change has its row of activity. Looked for
 * only while somebody's news are kept.
 */

const usualMs = 3_000
/** Rows are numbered when a call begins and seen when it is committed; and clocks differ. */
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
    // A look that failed is made up for by the next one.
    const rows = followed.length === 0 ? [] : await listEntriesSince(db.read, followed, idAt(lookedAt - lateMs))
    lookedAt = began
    const before = seen
    seen = new Set(rows.map(({ id }) => id))
    // At the first look this tells the last seconds, too: a page may have been drawn before one of their changes.
    for (const { id, userId, vaultId, operation, actor } of rows) {
      if (before.has(id) || callLog.isOwn(id)) continue
      news.note(userId, vaultId ?? undefined, changesByName.get(operation) ?? ['memories', 'tasks'])
      if (actor === 'agent') news.noteCall(userId)
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.debug('what other servers did is not known', { error }))
      .finally(() => (looking = undefined))
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
