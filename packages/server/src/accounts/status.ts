import { z } from 'zod'
import { version } from '../core/version.ts'
import { adviceFor } from '../embeddings/ask-at-start.ts'
import { operatorOperation } from '../operation/operation.ts'
import { countEverything, hasOwner } from './store.ts'

export const statusRecord = z.looseObject({
  version: z.string(),
  instanceId: z.uuid(),
  dialect: z.enum(['sqlite', 'postgres']),
  dataDir: z.string(),
  rootKeyOrigin: z.string().describe('The file or setting that the root key came from.'),
  isSetUp: z.boolean(),
  users: z.int(),
  vaults: z.int(),
  memories: z.int().describe('Archived ones included.'),
  usage: z
    .looseObject({ read: z.int(), write: z.int(), search: z.int(), ingest: z.int(), embeddingTokens: z.int() })
    .describe('Answered requests by class, and tokens of embeddings: of all users in this calendar month.'),
  embeddings: z
    .string()
    .nullable()
    .describe('Provider and model that vectors come from; null where none is configured.'),
  embeddingsFailure: z
    .looseObject({ code: z.string(), advice: z.string().describe('What to do about it; may be empty.') })
    .nullable()
    .describe('What the latest call of the provider failed with; null while it answers.'),
  records: z.int().describe('Memories and notes, archived ones included: all that search knows.'),
  vectorsMissing: z
    .int()
    .describe('Records that wait for an embedding by the configured model; 0 where none is configured.'),
})

export const status = operatorOperation({
  name: 'status',
  method: 'GET',
  path: '/api/operator/status',
  summary: 'What runs here and how much it holds: counts alone.',
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
      isSetUp: true,
      users: 1,
      vaults: 2,
      memories: 340,
      usage: { read: 310, write: 42, search: 128, ingest: 57, embeddingTokens: 0 },
      embeddings: 'static/holdfast-256-1',
      embeddingsFailure: null,
      records: 352,
      vectorsMissing: 0,
    },
  },
  run: async (_input, { db, instance, dataDir, limits, embeddings }) => ({
    version,
    instanceId: instance.id,
    dialect: db.dialect,
    dataDir,
    rootKeyOrigin: instance.rootKeyOrigin,
    isSetUp: await hasOwner(db.read),
    embeddings: embeddings?.id ?? null,
    embeddingsFailure: failureOf(embeddings?.failure),
    ...(await countEverything(db.read)),
    usage: await limits.usageThisMonth(),
  }),
})

const failureOf = (code: string | undefined) => (code === undefined ? null : { code, advice: adviceFor(code) })
