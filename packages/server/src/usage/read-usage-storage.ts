import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { openVaults } from '../vaults/vault.ts'
import { readMeasures, sizeKinds, type SizeKind, type VaultSize } from './vault-size-store.ts'

const size = { records: z.int(), bytes: z.int() }

export const readUsageStorage = operation({
  name: 'read-usage-storage',
  for: { person: 'GET /api/usage/storage' },
  summary:
    'Read the size of your vaults, the default vault first. Sizes are measured within a minute after a change, less often in large vaults.',
  effect: 'read',
  outdatedBy: ['runs'],
  input: z.object({ limit: fields.limit, offset: fields.offset }),
  output: z.looseObject({
    vaults: z.array(
      z.looseObject({
        vaultId: z.uuid(),
        name: z.string(),
        measuredAt: fields.timestamp.nullable().describe('Null if it has not been measured yet.'),
        bytes: z.int().describe('Size of the encrypted data. The database adds some overhead.'),
        kinds: z
          .array(z.looseObject({ kind: z.enum(sizeKinds), ...size }))
          .describe('Includes archived records and older versions. `index` is the search index.'),
      }),
    ),
    ...page,
  }),
  examples: {
    input: {},
    output: {
      vaults: [
        {
          vaultId: '0198c5f0-0000-7000-8000-000000000001',
          name: 'Main',
          measuredAt: '2026-11-21T09:00:00.000Z',
          bytes: 21_480,
          kinds: [
            { kind: 'memories', records: 12, bytes: 9_120 },
            { kind: 'index', records: 12, bytes: 12_360 },
          ],
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ limit, offset }, { actor, db, instance, keyring, mek }) {
    const open = await openVaults(db.read, { keyring, actor, mek, instance })
    const shown = open.slice(offset, offset + limit)
    const ids = shown.map(({ vaultId }) => vaultId)
    const measures = await readMeasures(db.read, actor.userId, ids)
    return {
      vaults: shown.map(({ vaultId, profile: { name } }) => {
        const { measuredAt, sizes } = measures.get(vaultId) ?? { measuredAt: undefined, sizes: [] }
        return {
          vaultId,
          name,
          measuredAt: measuredAt === undefined ? null : isoTime(measuredAt),
          bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
          kinds: inOrder(sizes),
        }
      }),
      ...pageOf({ limit, offset }, open.length),
    }
  },
})

const inOrder = (sizes: readonly VaultSize[]) =>
  sizeKinds.flatMap((kind: SizeKind) =>
    sizes.filter((one) => one.kind === kind).map(({ records, bytes }) => ({ kind, records, bytes })),
  )
