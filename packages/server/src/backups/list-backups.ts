import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import { type Backups, backupKinds } from '../operation/backups.ts'
import { operation } from '../operation/operation.ts'
import {
  backupRecord,
  describeBackup,
  describeRunning,
  exampleBackup,
  postgresCommand,
  runningRecord,
} from './backup.ts'

export const backupList = z.looseObject({
  backups: z
    .looseObject({
      command: z
        .string()
        .nullable()
        .describe('With PostgreSQL: the commands to run instead. Everything else is empty then.'),
      folder: z.string(),
      items: z.array(backupRecord).describe('Newest first.'),
      running: runningRecord.nullable().describe('The backup in progress.'),
      lastFailure: z
        .looseObject({ at: z.iso.datetime(), reason: z.string() })
        .nullable()
        .describe('Why the latest backup failed; null after one has succeeded.'),
      copies: z
        .looseObject({
          url: z.string().describe('As in `s3://bucket/prefix/`.'),
          problem: z.string().nullable().describe('Why they could not be listed; null if they could.'),
          items: z
            .array(
              z.looseObject({
                id: z.uuid(),
                url: z.string(),
                bytes: z.int(),
                createdAt: z.iso.datetime().nullable().describe('Null if it is not a whole backup, as is `kind`.'),
                kind: z.enum(backupKinds).nullable(),
              }),
            )
            .describe('Newest first. A copy has the same id as its backup on this machine.'),
        })
        .nullable()
        .describe('The copies in S3, as listed at most a minute ago; null if backups are not copied.'),
      everyHours: z.int().describe('Hours between automatic backups; 0 turns them off.'),
      keep: z.int().describe('How many automatic backups are kept.'),
      nextAt: z.iso.datetime().nullable().describe('When the next automatic backup is due; null if they are off.'),
    })
    .nullable()
    .describe('Null unless you are the owner.'),
})

export const listBackups = operation({
  name: 'list-backups',
  for: { person: 'GET /api/backups' },
  summary: 'List the backups of this server and the one in progress. Owner only.',
  effect: 'read',
  outdatedBy: ['settings'],
  input: z.object({}),
  output: backupList,
  examples: {
    input: {},
    output: {
      backups: {
        command: null,
        folder: '/var/lib/holdfast/backups',
        items: [exampleBackup],
        running: null,
        lastFailure: null,
        copies: null,
        everyHours: 24,
        keep: 7,
        nextAt: '2026-11-22T09:00:00.000Z',
      },
    },
  },
  run: async (_input, { actor, backups, now }) => ({ backups: actor.isOwner ? await describe(backups, now()) : null }),
})

async function describe(backups: Backups, at: number): Promise<z.input<typeof backupList>['backups']> {
  const { isSupported, folder, everyHours, keep } = backups
  // Read before the files are listed, so a backup that finishes meanwhile is among them.
  const running = backups.running()
  const items = isSupported ? await backups.list() : []
  const failure = await backups.lastFailure()
  const newest = items.find(
    ({ kind, problem, createdAt }) => kind === 'automatic' && problem === undefined && createdAt <= at,
  )
  const nextAt = newest === undefined ? at : Math.max(at, newest.createdAt + everyHours * 3_600_000)
  return {
    command: isSupported ? null : postgresCommand,
    folder,
    items: items.map(describeBackup),
    running: running === undefined ? null : describeRunning(running),
    lastFailure: failure === undefined ? null : { at: isoTime(failure.at), reason: failure.reason },
    copies: isSupported ? await describeCopies(backups) : null,
    everyHours,
    keep,
    nextAt: everyHours === 0 ? null : isoTime(nextAt),
  }
}

async function describeCopies(backups: Backups) {
  const copies = await backups.listCopies()
  if (copies === undefined) return null
  const { url, problem, items } = copies
  return {
    url,
    problem: problem ?? null,
    items: items.map(({ createdAt, kind, ...item }) => ({
      ...item,
      createdAt: isoTimeOrNull(createdAt),
      kind: kind ?? null,
    })),
  }
}
