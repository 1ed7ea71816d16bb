import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { dayMs, isoTime } from '../core/time.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { findRunTag } from './run-list-store.ts'
import { findRunIdOf, listRunTurns } from './run-turn-store.ts'
import { describeTurns, exampleTurn, runTurn } from './run-turn.ts'
import { findTurn } from './turn-store.ts'

export const browseRunTurns = operation({
  name: 'browse-run-turns',
  for: { person: 'GET /api/runs/turns' },
  vault: 'required',
  summary:
    'What was said in a run, as its agent handed it in by ingest-turn, the first on top, and what was remembered of it; or one turn, whole.',
  effect: 'read',
  outdatedBy: ['runs', 'memories'],
  about: ({ runId }) => refs('run', runId),
  input: z.object({
    ...fields.ownVault,
    runId: z.uuid().optional().describe('The run, by the `id` that browse-runs gives. Needed without `id`.'),
    id: z.uuid().optional().describe('Only this turn, whole, as `turn`, with the run it was said in.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([
    z.looseObject({
      turns: z.array(runTurn),
      keptSince: fields.timestamp
        .nullable()
        .describe(
          'What was handed in before is deleted, as the vault is set (`retention.turnsDays`). Null: nothing is.',
        ),
      ...page,
    }),
    z.looseObject({
      turn: runTurn,
      runId: z.uuid().nullable().describe('Null if the turn belongs to no known run.'),
    }),
  ]),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', runId: '0198c5f0-0000-7000-8000-000000000401' },
    output: { turns: [exampleTurn], keptSince: null, total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ runId, id, limit, offset }, ctx) {
    if (id !== undefined) return readTurn(ctx, id, runId)
    if (runId === undefined) throw invalid({ runId: 'is needed, or else id' })
    const { db, vault, now } = ctx
    const runTag = await findRunTag(db.read, vault, runId)
    if (runTag === undefined) throw notFound('Run')
    const { turns, total } = await listRunTurns(db.read, vault, runTag, { limit, offset })
    const { turnsDays } = openSettings(vault).retention
    const keptSince = turnsDays === null ? null : isoTime(now() - turnsDays * dayMs)
    return {
      turns: await describeTurns(ctx, turns, { isWhole: false }),
      keptSince,
      ...pageOf({ limit, offset }, total),
    }
  },
})

async function readTurn(ctx: VaultContext, id: string, runId: string | undefined) {
  const { db, vault, runs } = ctx
  // A run may have been counted only in this process yet.
  await runs.flush(vault.id)
  const found = await findTurn(db.read, vault, id)
  const [turn] = found === undefined ? [] : await describeTurns(ctx, [found], { isWhole: true })
  if (turn === undefined) throw notFound('Turn')
  const saidIn = await findRunIdOf(db.read, vault, id)
  if (runId !== undefined && runId !== saidIn) throw notFound('Turn')
  return { turn, runId: saidIn ?? null }
}
