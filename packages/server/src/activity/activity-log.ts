import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import type { ActivityLog, News } from '../operation/context.ts'
import { createActivityBuffer } from './buffer.ts'
import { followCall, ofNobody } from './follow-call.ts'

interface Deps {
  db: Database
  instance: Instance
  news: News
  log: Log
  now(): number
}

/** As many as a busy server has in the seconds in which it looks for those of others. */
const mostOwn = 10_000

/**
 * Who did what. What a call changes and that it was made are one transaction, so that no change goes without its row. Reads of
 * agents, refused calls and sign-ins are counted by the minute, and written within a second after.
 */
export function createActivityLog({ db, instance, news, log, now }: Deps): ActivityLog {
  const buffer = createActivityBuffer({ db, instance, log, now })
  const own = new Set<string>()
  const noteOwn = (id: string) => {
    own.add(id)
    const [oldest = ''] = own
    if (own.size > mostOwn) own.delete(oldest)
  }
  return {
    begin: (call) => followCall(call, { instance, news, buffer, noteOwn, now }),
    noteWork(userId, vaultId, { name, changes, records }) {
      news.note(userId, vaultId, changes)
      const row = { userId, id: newId(), vaultId, at: now(), operation: name, class: 'content', records }
      noteOwn(row.id)
      buffer.add({ ...ofNobody, ...row, actor: 'service', address: undefined })
    },
    noteSignIn(userId, { operation, clientAddress, requestId }, status) {
      const isIn = status < 400
      noteOwn(requestId)
      if (isIn) news.note(userId, undefined, ['account'])
      const row = { userId, id: requestId, at: now(), operation, class: 'sign-in', status, address: clientAddress }
      buffer.count({ ...ofNobody, ...row, actor: isIn ? 'person' : 'stranger' })
    },
    noteOperator(userId, { operation, clientAddress, requestId }) {
      noteOwn(requestId)
      news.note(userId, undefined, ['account'])
      const row = { userId, id: requestId, at: now(), operation, class: 'sign-in', address: clientAddress }
      buffer.add({ ...ofNobody, ...row, actor: 'operator' })
    },
    isOwn: (id) => own.has(id),
    flush: buffer.flush,
    stop: buffer.flush,
  }
}
