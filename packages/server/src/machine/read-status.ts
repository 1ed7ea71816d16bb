import { z } from 'zod'
import { countEverything, hasOwner } from '../accounts/store.ts'
import { readBackupHealth } from '../backups/check-backups.ts'
import { version } from '../core/program.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import type { Reader } from '../db/dialect.ts'
import { adviceFor } from '../embeddings/check-provider.ts'
import type { Instance } from '../instance/instance.ts'
import { readRootKeyUse } from '../instance/root-key-store.ts'
import type { Backups } from '../operation/backups.ts'
import { operation } from '../operation/operation.ts'
import { rootKeyRecord } from '../rotation/root-key.ts'

export const statusRecord = z.looseObject({
  version: z.string(),
  instanceId: z.uuid(),
  dialect: z.enum(['sqlite', 'postgres']),
  dataDir: z.string(),
  rootKeyOrigin: z.string().describe('The file or setting that the root key was read from.'),
  rootKeySince: z.string().describe('Since when the root key is in use.'),
  rootKeyState: rootKeyRecord.shape.state,
  isSetUp: z.boolean(),
  users: z.int(),
  vaults: z.int(),
  memories: z.int().describe('Includes archived memories.'),
  usage: z
    .looseObject({ read: z.int(), write: z.int(), search: z.int(), ingest: z.int(), embeddingTokens: z.int() })
    .describe('Answered requests by class, and embedding tokens, for all users in this calendar month.'),
  embeddings: z.string().nullable().describe('Embedding provider and model; null if none is configured.'),
  embeddingsFailure: z
    .looseObject({ code: z.string(), advice: z.string().describe('How to fix it; may be empty.') })
    .nullable()
    .describe('Error of the latest call; null while the provider works.'),
  records: z.int().describe('Memories and notes that search covers, including archived ones.'),
  vectorsMissing: z
    .int()
    .describe('Records that have no vectors of the configured model yet; 0 if none is configured.'),
  backups: z
    .looseObject({
      latestAt: z.iso
        .datetime()
        .nullable()
        .describe('Time of the latest backup that can be restored, as of the last check.'),
      damaged: z.int().describe("How many can't be restored."),
      failure: z.string().nullable().describe('Why the latest backup failed; null if it succeeded.'),
      everyHours: z.int().describe('Hours between automatic backups; 0 if they are off.'),
      drill: z
        .looseObject({
          at: z.iso.datetime(),
          problem: z.string().nullable().describe('What differed first; null if the restored store was right.'),
        })
        .nullable()
        .describe('The latest restore drill (`holdfast backup drill`); null before the first one.'),
    })
    .nullable()
    .describe('Null on PostgreSQL, where its own tools make backups.'),
})

export const readStatus = operation({
  name: 'read-status',
  for: { operator: 'GET /api/operator/status' },
  summary: "Get the server's configuration and counts of what it stores.",
  effect: 'read',
  input: z.object({}),
  output: statusRecord,
  examples: {
    input: {},
    output: {
      version: '0.1.0',
      instanceId: '0198c5f0-0000-7000-8000-0000000000ff',
      dialect: 'sqlite',
      dataDir: '/var/lib/holdfast',
      rootKeyOrigin: '/etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key',
      rootKeySince: '2026-11-22T09:00:00.000Z',
      rootKeyState: 'settled',
      isSetUp: true,
      users: 1,
      vaults: 2,
      memories: 340,
      usage: { read: 310, write: 42, search: 128, ingest: 57, embeddingTokens: 0 },
      embeddings: 'static/holdfast-256-1',
      embeddingsFailure: null,
      records: 352,
      vectorsMissing: 0,
      backups: { latestAt: '2026-11-21T09:00:00.000Z', damaged: 0, failure: null, everyHours: 24, drill: null },
    },
  },
  run: async (_input, { db, instance, dataDir, limits, embeddings, backups }) => ({
    version,
    instanceId: instance.id,
    dialect: db.dialect,
    dataDir,
    rootKeyOrigin: instance.rootKeyOrigin,
    ...(await describeRootKeyUse(db.read, instance)),
    isSetUp: await hasOwner(db.read),
    embeddings: embeddings?.id ?? null,
    embeddingsFailure: failureOf(embeddings?.failure),
    ...(await countEverything(db.read)),
    usage: await limits.usageThisMonth(),
    backups: await describeBackups(backups),
  }),
})

async function describeBackups(backups: Backups) {
  const health = await readBackupHealth(backups)
  if (health === undefined) return null
  const { latestAt, failure, drill } = health
  return {
    ...health,
    latestAt: isoTimeOrNull(latestAt),
    failure: failure ?? null,
    drill: drill === undefined ? null : { at: isoTime(drill.at), problem: drill.problem ?? null },
  }
}

const failureOf = (code: string | undefined) => (code === undefined ? null : { code, advice: adviceFor(code) })

async function describeRootKeyUse(db: Reader, instance: Instance) {
  const { since, state } = await readRootKeyUse(db, instance)
  return { rootKeySince: isoTime(since), rootKeyState: state }
}
