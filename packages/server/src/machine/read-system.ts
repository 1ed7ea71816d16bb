import { z } from 'zod'
import { countEverything } from '../accounts/store.ts'
import { version } from '../core/program.ts'
import { adviceFor } from '../embeddings/check-provider.ts'
import { operation } from '../operation/operation.ts'

export const readSystem = operation({
  name: 'read-system',
  for: { person: 'GET /api/system' },
  summary:
    'Get the version and embedding provider of this server. Folders, keys and counts are included for the owner only.',
  effect: 'read',
  outdatedBy: ['settings', 'account'],
  input: z.object({}),
  output: z.looseObject({
    version: z.string(),
    embeddings: z
      .looseObject({
        provider: z.string().describe('Embedding provider and model.'),
        failure: z
          .looseObject({ code: z.string(), advice: z.string().describe('How to fix it; may be empty.') })
          .nullable()
          .describe('Error of the latest call; null while the provider works.'),
      })
      .nullable()
      .describe('Null if none is configured; search then uses words and links only.'),
    server: z
      .looseObject({
        dialect: z.enum(['sqlite', 'postgres']),
        dataDir: z.string(),
        rootKeyOrigin: z.string().describe('The file or setting that the root key was read from.'),
        users: z.int(),
        records: z.int().describe('Memories and notes of all users, including archived ones.'),
        vectorsMissing: z.int().describe('Records that have no vectors yet.'),
      })
      .nullable()
      .describe('Null unless you are the owner.'),
  }),
  examples: {
    input: {},
    output: {
      version: '0.1.0',
      embeddings: { provider: 'static/holdfast-256-1', failure: null },
      server: {
        dialect: 'sqlite',
        dataDir: '/var/lib/holdfast',
        rootKeyOrigin: '/etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key',
        users: 1,
        records: 352,
        vectorsMissing: 0,
      },
    },
  },
  async run(_input, { actor, db, instance, dataDir, embeddings }) {
    const code = embeddings?.failure
    const failure = code === undefined ? null : { code, advice: adviceFor(code) }
    return {
      version,
      embeddings: embeddings === undefined ? null : { provider: embeddings.id, failure },
      server: actor.isOwner
        ? { dialect: db.dialect, dataDir, rootKeyOrigin: instance.rootKeyOrigin, ...(await countForOwner(db.read)) }
        : null,
    }
  },
})

async function countForOwner(db: Parameters<typeof countEverything>[0]) {
  const { users, records, vectorsMissing } = await countEverything(db)
  return { users, records, vectorsMissing }
}
