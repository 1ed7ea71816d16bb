import { changeTypes } from '../calls/call.ts'
import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { importOrigin } from './import-records.ts'
import { listImports as readImports } from './imported-store.ts'

const importRecord = z
  .looseObject({
    importId: z.uuid(),
    origin: importOrigin.nullable().describe('What was imported; null if unknown.'),
    startedAt: fields.timestamp,
    lastAt: fields.timestamp.describe('When it last wrote something.'),
    revertedAt: fields.timestamp.nullable().describe('When its revert began. Nothing more is written under its id.'),
    counts: z.record(z.string(), z.int()).describe('How many records a revert would remove, by kind.'),
  })
  .meta({ id: 'Import' })

export const listImports = operation({
  name: 'list-imports',
  for: { person: 'GET /api/imports' },
  vault: 'required',
  summary: 'List the imports into a vault, the newest first, and how much of each revert-import would remove.',
  effect: 'read',
  outdatedBy: changeTypes,
  input: z.object({ ...fields.ownVault, limit: fields.limit, offset: fields.offset }),
  output: z.looseObject({
    imports: z.array(importRecord),
    ...page,
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001' },
    output: {
      imports: [
        {
          importId: '0198c5f0-0000-7000-8000-000000000901',
          origin: { source: 'obsidian', name: 'Notes' },
          startedAt: '2026-11-21T09:00:00.000Z',
          lastAt: '2026-11-21T09:00:12.000Z',
          revertedAt: null,
          counts: { folder: 3, note: 41 },
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ limit, offset }, { db, vault }) {
    const { imports, total } = await readImports(db.read, vault, { limit, offset })
    return {
      imports: imports.map(({ origin, startedAt, lastAt, revertedAt, ...rest }) => ({
        ...rest,
        origin: origin ?? null,
        startedAt: isoTime(startedAt),
        lastAt: isoTime(lastAt),
        revertedAt: isoTimeOrNull(revertedAt),
      })),
      ...pageOf({ limit, offset }, total),
    }
  },
})
