import * as fields from '../operation/fields.ts'
import { changeTypes, activityClasses, type ActivityClass } from '../calls/call.ts'
import { z } from 'zod'
import { findPeople } from '../auth/person-store.ts'
import { findProfiles } from '../auth/store.ts'
import { isoTime } from '../core/time.ts'
import { recordTypes, typeOfKind } from '../calls/records.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { listEntries, type ListedEntry } from '../calls/activity-store.ts'
import { describePerson, type People, personRecord } from '../vaults/member.ts'
import { nameRecords, type RecordNames } from './name-records.ts'

const actors = ['agent', 'person', 'operator', 'service', 'stranger'] as const

const activityRecord = z
  .looseObject({
    id: z.uuid().describe('The request id, as in the log. For calls counted together, the id of the first.'),
    at: fields.timestamp.describe('When it happened. For calls counted together, the time of the last.'),
    actor: z
      .enum(actors)
      .describe('`operator`: the command line on the server; `service`: background jobs; `stranger`: a failed login.'),
    integrationId: z.uuid().nullable(),
    label: z.string().nullable().describe("The integration's current label; null if it was deleted."),
    member: personRecord
      .nullable()
      .describe('Who called, if they are a member of the vault and not its owner; then without an address.'),
    keyLast4: z.string().nullable().describe('Last characters of the key that the agent used.'),
    operation: z.string().describe('Name of the operation, or of the job.'),
    class: z.enum(activityClasses),
    recordType: z.enum(recordTypes).nullable().describe('The kind of record; null for any other kind.'),
    recordId: z.uuid().nullable().describe('Id of the record, or of the first of several.'),
    recordTitle: z
      .string()
      .nullable()
      .describe(
        "What the record is called now: title of a memory, task or note, subject or first line of a message, label of an agent, URL of a webhook. Null for any other kind, and if it is no longer there or can't be opened. The activity itself holds only the id.",
      ),
    recordExists: z
      .boolean()
      .nullable()
      .describe(
        'False if the record was deleted permanently, if it is in another vault now, or if it is a message that has expired. An expired memory still exists. Null for kinds without a `recordTitle`, and if the record or the key of its vault is damaged.',
      ),
    records: z.int().describe('Number of records that the call named, created or changed.'),
    vaultId: z.uuid().nullable(),
    calls: z.int().describe("Number of calls. Agents' reads and refused calls are counted together by the minute."),
    status: z.int().describe('HTTP status; 200 for any success.'),
    address: z.string().nullable().describe('IP address of the client, or of the proxy in front of this server.'),
  })
  .meta({ id: 'ActivityEntry' })

const exampleEntry: z.infer<typeof activityRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000901',
  at: '2026-11-21T09:00:00.000Z',
  actor: 'agent',
  integrationId: '0198c5f0-0000-7000-8000-000000000011',
  label: 'Laptop',
  member: null,
  keyLast4: '9f3c',
  operation: 'write-memory',
  class: 'content',
  recordType: 'memories',
  recordId: '0198c5f0-0000-7000-8000-000000000101',
  recordTitle: 'The user prefers tabs over spaces in Go code.',
  recordExists: true,
  records: 1,
  vaultId: '0198c5f0-0000-7000-8000-000000000001',
  calls: 1,
  status: 200,
  address: '127.0.0.1',
}

export const listActivity = operation({
  name: 'list-activity',
  for: { person: 'GET /api/activity' },
  summary:
    "List who did what, newest first: changes, sign-ins, exports, and agents' reads counted by the minute. Kept for 90 days.",
  effect: 'read',
  outdatedBy: changeTypes,
  input: z.object({
    actor: z
      .enum([...actors, 'member'])
      .optional()
      .describe(
        'Only actions by this kind of actor. `person`: what you did; `member`: what others did in vaults that you share with them.',
      ),
    integrationId: z.uuid().optional().describe('Only actions by this integration.'),
    class: z.enum(activityClasses).optional().describe('Only operations of this class.'),
    operation: z
      .string()
      .max(100)
      .regex(/^[a-z-]*$/, 'letters a-z and hyphens')
      .optional()
      .describe('Only this operation or job.'),
    vaultId: z.uuid().optional().describe('Only actions in this vault.'),
    recordId: z.uuid().optional().describe('Only actions on this record, if it was the first record of the call.'),
    since: fields.timestamp.optional().describe('Only actions at or after this time.'),
    until: fields.timestamp.optional().describe('Only actions before this time.'),
    failed: z.boolean().optional().describe('true: only failed calls. false: only successful ones.'),
    heartbeats: z
      .boolean()
      .optional()
      .describe('false: without session-track, which agents call to report that a run is alive.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ activity: z.array(activityRecord), ...page }),
  examples: {
    input: { class: 'content' },
    output: { activity: [exampleEntry], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ limit, offset, since, until, failed, ...filter }, ctx) {
    const { actor, db, instance, activity } = ctx
    // Writes the calls that this process has counted but not written yet.
    await activity.flush()
    const wanted = {
      ...filter,
      integrationId: filter.integrationId?.toLowerCase(),
      vaultId: filter.vaultId?.toLowerCase(),
      recordId: filter.recordId?.toLowerCase(),
      since: since === undefined ? undefined : Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
      failed,
    }
    const { entries, total } = await listEntries(db.read, instance, actor.userId, { filter: wanted, limit, offset })
    const people = await findPeople(
      db.read,
      instance,
      entries.flatMap(({ memberId }) => memberId ?? []),
    )
    const agents = await findProfiles(
      db.read,
      instance,
      actor.userId,
      new Set(entries.flatMap(({ integrationId }) => integrationId ?? [])),
    )
    const names = await nameRecords(ctx, entries)
    return {
      activity: entries.map((entry) => describeEntry(entry, { people, agents, names })),
      ...pageOf({ limit, offset }, total),
    }
  },
})

type Agents = Awaited<ReturnType<typeof findProfiles>>

const describeEntry = (
  entry: ListedEntry,
  { people, agents, names }: { people: People; agents: Agents; names: RecordNames },
): z.infer<typeof activityRecord> => ({
  id: entry.id,
  at: isoTime(entry.at),
  actor: entry.actor,
  integrationId: entry.integrationId,
  label: agents.get(entry.integrationId ?? '')?.label ?? null,
  member: entry.memberId === null ? null : describePerson(entry.memberId, people),
  keyLast4: entry.lastFour,
  operation: entry.operation,
  class: entry.class as ActivityClass,
  recordType: (entry.recordKind === null ? undefined : typeOfKind[entry.recordKind]) ?? null,
  recordId: entry.recordId,
  recordTitle: names.titleOf(entry),
  recordExists: names.exists(entry),
  records: entry.records,
  vaultId: entry.vaultId,
  calls: entry.calls,
  status: entry.status,
  address: entry.address ?? null,
})
