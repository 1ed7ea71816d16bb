import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import type { PersonContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { page, pageOf } from '../operation/page.ts'
import { openVaults } from '../vaults/vault.ts'
import { readMeasures, sizeKinds, type SizeKind, type VaultSize } from './vault-size-store.ts'

const size = { records: z.int(), bytes: z.int() }

export const storageFields = { limit: fields.limit, offset: fields.offset }

export const storageUsage = z.looseObject({
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
})

export async function describeStorage(
  { actor, db, instance, keyring, mek }: Pick<PersonContext, 'actor' | 'db' | 'instance' | 'keyring' | 'mek'>,
  { limit, offset }: z.output<z.ZodObject<typeof storageFields>>,
): Promise<z.input<typeof storageUsage>> {
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
}

const inOrder = (sizes: readonly VaultSize[]) =>
  sizeKinds.flatMap((kind: SizeKind) =>
    sizes.filter((one) => one.kind === kind).map(({ records, bytes }) => ({ kind, records, bytes })),
  )
