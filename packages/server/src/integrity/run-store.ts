import { openIntact } from '../auth/scope-key-store.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { NoteVersionsTable } from '../db/tables/notes.ts'
import type { RunsTable, TurnsTable } from '../db/tables/sessions.ts'
import { openVersion } from '../notes/version-store.ts'
import { runTag, runTagOf, versionColumns } from '../operation/writer.ts'
import { agentTag, openRun } from '../runs/run-store.ts'
import { openTurn } from '../turns/turn-store.ts'
import { compareColumns } from './columns-store.ts'
import type { Found } from './problem.ts'

/** What the plain columns of runs, turns and former texts must be, by their encrypted parts. Rows that don't open are left out. */

export async function compareRuns(db: Reader, scope: VaultScope, rows: readonly RunsTable[]): Promise<Found[]> {
  const found: Found[] = []
  for (const row of rows) {
    const [run] = await openIntact(db, [row], (one) => openRun(scope, one))
    if (run === undefined) continue
    const { agentRunId, agentId } = run
    const place = { table: 'runs', key: { id: row.id }, recordId: row.id } as const
    const integrationId = await findIntegration(db, scope, row, (id) =>
      runTag(scope, { integrationId: id, agentRunId }),
    )
    const expected = {
      integrationId,
      agentTag: agentTag(scope, agentId),
      ...(integrationId !== null && { runTag: runTag(scope, { integrationId, agentRunId }) }),
    }
    found.push(...(await compareColumns(db, scope, place, [row, expected])))
  }
  return found
}

export async function compareTurns(db: Reader, scope: VaultScope, rows: readonly TurnsTable[]): Promise<Found[]> {
  const found: Found[] = []
  for (const row of rows) {
    const [turn] = await openIntact(db, [row], (one) => openTurn(scope, one))
    if (turn === undefined) continue
    const tagBy = (id: string) => runTagOf(scope, { ...turn, integrationId: id })
    const integrationId = await findIntegration(db, scope, row, tagBy)
    const expected = { integrationId, ...(integrationId !== null && { runTag: tagBy(integrationId) }) }
    const place = { table: 'turns', key: { id: row.id }, recordId: row.id } as const
    found.push(...(await compareColumns(db, scope, place, [row, expected])))
  }
  return found
}

/** The integration under which the run's tag was made. The stored one, if no other gives the tag: then the tag is damaged. */
async function findIntegration(
  db: Reader,
  { userId }: VaultScope,
  { integrationId, runTag: stored }: { integrationId: string | null; runTag: Uint8Array | null },
  tagBy: (integrationId: string) => Buffer | null,
): Promise<string | null> {
  const isRight = (id: string) => stored !== null && tagBy(id)?.equals(stored) === true
  if (integrationId === null || isRight(integrationId)) return integrationId
  const rows = await db.selectFrom('integrations').select('id').where('userId', '=', userId).execute()
  return rows.find(({ id }) => isRight(id))?.id ?? integrationId
}

/** Former texts of notes, with the columns that decide which of them are kept. */
export async function compareNoteVersions(
  db: Reader,
  scope: VaultScope,
  rows: readonly NoteVersionsTable[],
): Promise<Found[]> {
  const found: Found[] = []
  for (const row of rows) {
    const { noteId, version } = row
    const [former] = await openIntact(db, [row], (one) => openVersion(scope, noteId, one))
    // An earlier release stored it without its writer.
    if (former === undefined || row.provenance === 'unknown') continue
    const { integrationId, provenance } = versionColumns(scope, former)
    const place = { table: 'noteVersions', key: { noteId, version }, recordId: noteId } as const
    found.push(...(await compareColumns(db, scope, place, [row, { integrationId, provenance }])))
  }
  return found
}
