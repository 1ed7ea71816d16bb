import type { Actor } from '../auth/actor.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'
import { insertEntry, type NewEntry } from './activity-store.ts'
import { createActivity, type Activity } from './activity.ts'
import { createCallCounts, type CallCounts } from './call-counts.ts'
import type { CalledOperation, CalledVault, CallRecord, RunClaim, ChangeType } from './call.ts'
import type { News } from './news.ts'
import type { RecordRef } from './records.ts'
import { createRunCounts, type RunCounts, type RunNews } from './runs.ts'

/**
 * Records who did what. Each call has one record, which everything that counts or lists calls reads after the call has ended. A change
 * and its activity row are written in one transaction, so no change is without a row.
 */
export interface CallLog {
  /** Call when the caller is known. */
  begin(call: { operation: CalledOperation; actor: Actor; request: Origin }): OpenCall
  /** Records a change that the service itself made in a vault. `records` is their number. */
  recordWork(
    userId: string,
    vaultId: string,
    work: { name: string; changes: readonly ChangeType[]; records: number },
  ): void
  /** Records a sign-in as the user, or a failed attempt. */
  recordSignIn(userId: string, request: Origin, status: number): void
  /** Records a change of an account by the operator. */
  recordOperatorChange(userId: string, request: Origin): void
  /** Whether a recent row belongs to a call to this process. */
  isOwn(id: string): boolean
}

/** Where a call comes from. */
interface Origin {
  requestId: string
  operation: string
  clientAddress: string
}

export interface OpenCall {
  /** Sets the vault and the run of the call. */
  enter(place: { vaultId: string | undefined; vault: CalledVault | undefined; run: RunClaim | undefined }): void
  /** Records a dry run as a read. Call before `within`. */
  changeNothing(): void
  /** Adds records that the call names or changes. */
  about(records: readonly RecordRef[]): void
  /** The store for this call. Its first transaction also writes the activity row. */
  within(db: Database): Database
  addTokens(tokens: number): void
  succeed(answer: { status: number; returns: readonly RecordRef[]; answerChars: number | undefined }): void
  fail(status: number): void
}

interface Deps {
  instance: Instance
  news: News
  activity: Activity
  counts: CallCounts
  runs: RunCounts
  now(): number
}

interface SinkDeps extends Pick<Deps, 'instance' | 'news' | 'now'> {
  db: Database
  /** Writes the calls of runs of one vault, in one transaction. */
  writeRuns(runs: readonly RunNews[]): Promise<void>
  log: Log
}

/** The log and everything that reads it. Each part writes on its own schedule and reads the ended calls before it does. */
export function createCallSinks({ db, instance, news, writeRuns, log, now }: SinkDeps) {
  const beforeWrites = () => callLog.digest()
  const activity = createActivity({ db, instance, beforeWrites, log, now })
  const calls = createCallCounts({ db, beforeWrites, log })
  const runs = createRunCounts({ db, write: writeRuns, beforeWrites, log })
  const callLog = createCallLog({ instance, news, activity, counts: calls, runs, now })
  return { callLog, activity, calls, runs }
}

/** Enough for the calls of a busy server between two polls for calls to other servers. */
const maxOwn = 10_000
/** Most calls that wait to be counted, a few hundred bytes each. */
const maxWaiting = 1_000

function createCallLog({ instance, news, activity, counts, runs, now }: Deps): CallLog & { digest(): void } {
  const own = new Set<string>()
  let begunInRuns: CallRecord[] = []
  let ended: CallRecord[] = []

  function addOwn(id: string): void {
    own.add(id)
    const [oldest = ''] = own
    if (own.size > maxOwn) own.delete(oldest)
  }

  /** Passes the calls on to everything that counts them. */
  function digest(): void {
    const [begun, done] = [begunInRuns, ended]
    begunInRuns = []
    ended = []
    for (const call of begun) runs.begin(call)
    for (const call of done) {
      counts.add(call)
      runs.end(call)
      addToActivity(activity, call)
    }
  }

  function addEnded(call: CallRecord): void {
    ended.push(call)
    if (ended.length >= maxWaiting) digest()
  }

  return {
    digest,
    begin({ operation, actor, request }) {
      const call = newCall(operation, actor, request, now())
      addOwn(call.id)
      return openCall(call, { instance, news, addBegun: () => begunInRuns.push(call), addEnded })
    },
    recordWork(userId, vaultId, { name, changes, records }) {
      news.announce(userId, vaultId, changes)
      const row = { userId, id: newId(), vaultId, at: now(), operation: name, class: 'content', records }
      addOwn(row.id)
      activity.add({ ...emptyEntry, ...row, actor: 'service', address: undefined })
    },
    recordSignIn(userId, { operation, clientAddress, requestId }, status) {
      const isIn = status < 400
      addOwn(requestId)
      if (isIn) news.announce(userId, undefined, ['account'])
      const row = { userId, id: requestId, at: now(), operation, class: 'sign-in', status, address: clientAddress }
      activity.count({ ...emptyEntry, ...row, actor: isIn ? 'person' : 'stranger' })
    },
    recordOperatorChange(userId, { operation, clientAddress, requestId }) {
      addOwn(requestId)
      news.announce(userId, undefined, ['account'])
      const row = { userId, id: requestId, at: now(), operation, class: 'sign-in', address: clientAddress }
      activity.add({ ...emptyEntry, ...row, actor: 'operator' })
    },
    isOwn: (id) => own.has(id),
  }
}

interface Reader extends Pick<Deps, 'instance' | 'news'> {
  addBegun(): void
  addEnded(call: CallRecord): void
}

function openCall(call: CallRecord, { instance, news, addBegun, addEnded }: Reader): OpenCall {
  const { actor } = call
  const beganAt = performance.now()
  const tell = () => news.announce(ownerOf(call), call.vaultId, call.operation.changes)

  function end(status: number): void {
    call.status = status
    call.durationMs = performance.now() - beganAt
    addEnded(call)
  }

  return {
    enter({ vaultId, vault, run }) {
      call.vaultId = vaultId
      call.vault = vault
      call.run = run
      if (run !== undefined) addBegun()
    },
    changeNothing: () => void (call.operation = { ...call.operation, isWrite: false, changes: [], class: 'read' }),
    about(records) {
      const known = new Set(call.about.map(({ id }) => id))
      call.about.push(...records.filter(({ id }) => !known.has(id)))
    },
    within: (db) => (call.operation.changes.length === 0 ? db : withRow(db, instance, call)),
    addTokens: (tokens) => void (call.tokens += tokens),
    succeed({ status, returns, answerChars }) {
      tell()
      if (actor.kind === 'agent') news.announceCall(actor.userId)
      call.answerChars = answerChars
      call.returns = returns
      end(status)
    },
    fail(status) {
      // A part of the change was committed.
      if (call.stored !== undefined) tell()
      end(status)
    },
  }
}

const newCall = (operation: CalledOperation, actor: Actor, request: Origin, at: number): CallRecord => ({
  id: request.requestId,
  operation,
  actor,
  address: request.clientAddress,
  at,
  vault: undefined,
  vaultId: undefined,
  run: undefined,
  about: [],
  returns: [],
  stored: undefined,
  tokens: 0,
  durationMs: 0,
  status: 200,
  answerChars: undefined,
})

/** A store whose first committed transaction also writes the call's row, at its end. */
function withRow(db: Database, instance: Instance, call: CallRecord): Database {
  const lane = call.vault?.id ?? ownerOf(call)
  async function write<T>(work: Parameters<typeof db.write<T>>[0]): Promise<T> {
    if (call.stored !== undefined) return db.write(work, lane)
    // Before the work begins, so that another transaction of this call doesn't write the row, too.
    call.stored = rowOf(call)
    const { about } = call
    try {
      return await db.write(async (tx) => {
        // What an earlier attempt named may not exist.
        call.about = [...about]
        const result = await work(tx)
        call.stored = rowOf(call)
        await insertEntry(tx, instance, call.stored)
        return result
      }, lane)
    } catch (error) {
      call.stored = undefined
      throw error
    }
  }
  return { ...db, write }
}

/** Adds what isn't stored yet. People's reads are not recorded, their exports are. */
function addToActivity(activity: Activity, call: CallRecord): void {
  const { operation, actor, stored } = call
  const row = rowOf(call)
  if (stored !== undefined) completeStored(activity, stored, row)
  else if (row.status >= 400) {
    if (actor.kind === 'agent' || operation.class !== 'read') activity.count({ ...row, ...noRecords })
  } else if (operation.changes.length > 0) activity.add(row)
  else if (actor.kind === 'agent' || operation.class === 'export') activity.count(row)
}

/** The call may have failed after its first change, or changed more records. */
function completeStored(activity: Activity, stored: NewEntry, { userId, id, ...row }: NewEntry): void {
  const { status, recordId, recordKind, records } = row
  if (status !== stored.status || recordId !== stored.recordId || records !== stored.records)
    activity.complete({ userId, id, status, recordId, recordKind, records })
}

const noRecords = { recordId: null, recordKind: null, records: 0 } as const

const emptyEntry = {
  vaultId: null,
  integrationId: null,
  memberId: null,
  credentialId: null,
  ...noRecords,
  calls: 1,
  status: 200,
} as const

/** A call in a shared vault is recorded for the vault's owner, whoever made it. */
const ownerOf = ({ actor, vault }: CallRecord): string => vault?.userId ?? actor.userId

function rowOf(call: CallRecord): NewEntry {
  const { id, operation, actor, address, at, vaultId, about, status } = call
  const userId = ownerOf(call)
  const isMembers = userId !== actor.userId
  const credentialId = actor.kind === 'agent' ? actor.keyId : actor.credentialId
  return {
    ...emptyEntry,
    userId,
    id,
    at,
    vaultId: vaultId ?? null,
    actor: actor.kind === 'agent' ? 'agent' : credentialId === undefined ? 'operator' : 'person',
    integrationId: actor.integrationId ?? null,
    memberId: isMembers ? actor.userId : null,
    credentialId: credentialId ?? null,
    operation: operation.name,
    class: operation.class,
    recordId: about[0]?.id ?? null,
    recordKind: about[0]?.kind ?? null,
    records: about.length,
    // 201 counts as any success.
    status: status >= 400 ? status : 200,
    // Where a member calls from is not the owner's business.
    address: isMembers ? undefined : address,
  }
}
