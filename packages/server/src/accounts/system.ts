import { z } from 'zod'
import { version } from '../core/version.ts'
import { adviceFor } from '../embeddings/check-provider.ts'
import { operation } from '../operation/operation.ts'
import { countEverything } from './store.ts'

export const system = operation({
  name: 'system',
  for: { person: 'GET /api/system' },
  summary: 'What runs here. Its folders, keys and counts are for the owner alone.',
  effect: 'read',
  outdatedBy: ['settings', 'account'],
  input: z.object({}),
  output: z.looseObject({
    version: z.string(),
    embeddings: z
      .looseObject({
        provider: z.string().describe('Provider and model that vectors come from.'),
        failure: z
          .looseObject({ code: z.string(), advice: z.string().describe('What to do about it; may be empty.') })
          .nullable()
          .describe('What its latest call failed with; null while it answers.'),
      })
      .nullable()
      .describe('Null where none is configured: search then goes by words and links.'),
    server: z
      .looseObject({
        dialect: z.enum(['sqlite', 'postgres']),
        dataDir: z.string(),
        rootKeyOrigin: z.string().describe('The file or setting that the root key came from.'),
        users: z.int(),
        records: z.int().describe('Memories and notes of all users, archived ones included.'),
        vectorsMissing: z.int().describe('Records that wait for an embedding.'),
      })
      .nullable()
      .describe('Null for those who are not the owner.'),
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
