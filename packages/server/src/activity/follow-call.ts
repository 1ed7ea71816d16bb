import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { classOfActivity } from '../operation/change-types.ts'
import type { ActivityEntry, FollowedCall, News } from '../operation/context.ts'
import type { RecordRef } from '../operation/records.ts'
import type { ActivityBuffer } from './buffer.ts'
import { insertEntry, type NewEntry } from './store.ts'

export const ofNobody = {
  vaultId: null,
  integrationId: null,
  credentialId: null,
  recordId: null,
  recordKind: null,
  records: 0,
  calls: 1,
  status: 200,
} as const

interface Sinks {
  instance: Instance
  news: News
  buffer: ActivityBuffer
  noteOwn(id: string): void
  now(): number
}

/** One call, from the door to its end. */
export function followCall(call: FollowedCall, { instance, news, buffer, noteOwn, now }: Sinks): ActivityEntry {
  const { changes } = call.operation
  const concerned: RecordRef[] = []
  const row = newRow(call, now())
  const { userId, id } = row
  noteOwn(id)
  const tell = () => news.note(userId, row.vaultId ?? undefined, changes)
  let isWritten = false

  function succeedInReading(): void {
    // What people look at here is not written down; what they take away is.
    if (row.actor === 'agent' || row.class === 'export') buffer.count(row)
  }

  return {
    within(db, named, vaultId) {
      row.vaultId = vaultId ?? null
      nameRecords(row, named)
      if (changes.length === 0) return db
      return { ...db, write: (work) => (isWritten ? db.write(work) : writeBoth(db, work)) }
    },
    concerns: (record) => void concerned.push(record),
    succeed(returned) {
      tell()
      if (row.actor === 'agent') news.noteCall(userId)
      if (changes.length === 0) return succeedInReading()
      const { recordId } = row
      if (recordId === null) nameRecords(row, returned)
      if (!isWritten) buffer.add(row)
      else if (row.recordId !== recordId)
        buffer.complete({ userId, id, recordId: row.recordId, recordKind: row.recordKind, records: row.records })
    },
    fail(status) {
      if (isWritten) {
        // Some of it stays.
        tell()
        buffer.complete({ userId, id, status })
      } else if (row.actor === 'agent' || row.class !== 'read')
        buffer.count({ ...row, recordId: null, recordKind: null, records: 0, status })
    },
  }

  /** The call's own transaction, with its row at the end. */
  async function writeBoth<T>(db: Database, work: Parameters<typeof db.write<T>>[0]): Promise<T> {
    isWritten = true
    try {
      return await db.write(async (tx) => {
        const result = await work(tx)
        if (row.recordId === null) nameRecords(row, concerned)
        await insertEntry(tx, instance, row)
        return result
      })
    } catch (error) {
      isWritten = false
      throw error
    }
  }
}

function newRow({ operation, actor, request }: FollowedCall, at: number): NewEntry {
  const credentialId = actor.kind === 'agent' ? actor.keyId : actor.credentialId
  return {
    ...ofNobody,
    userId: actor.userId,
    id: request.requestId,
    at,
    actor: actor.kind === 'agent' ? 'agent' : credentialId === undefined ? 'operator' : 'person',
    integrationId: actor.integrationId ?? null,
    credentialId: credentialId ?? null,
    operation: operation.name,
    class: classOfActivity(operation),
    address: request.clientAddress,
  }
}

function nameRecords(row: NewEntry, records: readonly RecordRef[]): void {
  row.recordId = records[0]?.id ?? null
  row.recordKind = records[0]?.kind ?? null
  row.records = records.length
}
