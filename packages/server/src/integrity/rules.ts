import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { sealedPlaces, type Row, type SealedPlace } from '../rotation/sealed-places.ts'
import { findLeftEntries } from './entry-store.ts'
import { findLeftRows, leftPlaces } from './left-store.ts'
import { compareLinkRows, findWrongRemovals } from './link-store.ts'
import { compareMemories, type Comparing } from './memory-store.ts'
import { compareFolders, compareNotes } from './note-store.ts'
import type { Found } from './problem.ts'
import { compareNoteVersions, compareRuns, compareTurns } from './run-store.ts'
import { compareVaults, findLostVaults } from './vault-store.ts'

/** Which rows are compared with what, table by table, and in which order. */

type Rule<T extends keyof Tables> = (
  db: Reader,
  ctx: Comparing,
  scope: VaultScope,
  rows: readonly Tables[T][],
) => Promise<Found[]>

const without =
  <T extends keyof Tables>(
    compare: (db: Reader, scope: VaultScope, rows: readonly Tables[T][]) => Promise<Found[]>,
  ): Rule<T> =>
  (db, _ctx, scope, rows) =>
    compare(db, scope, rows)

const left =
  <T extends keyof typeof leftPlaces>(table: T): Rule<T> =>
  (db, _ctx, scope, rows) =>
    findLeftRows(db, scope, leftPlaces[table], rows as readonly object[] as readonly Record<string, unknown>[])

const rules: { [T in keyof Tables]?: Rule<T> } = {
  vaultKeys: without(findLostVaults),
  vaults: without(compareVaults),
  memories: compareMemories,
  notes: compareNotes,
  noteVersions: without(compareNoteVersions),
  folders: without(compareFolders),
  links: without(compareLinkRows),
  runs: without(compareRuns),
  turns: without(compareTurns),
  indexEntries: without(findLeftEntries),
  indexRemovals: without(findWrongRemovals),
  tasks: left('tasks'),
  memoryReads: left('memoryReads'),
  claimedWrites: left('claimedWrites'),
  noteTags: left('noteTags'),
  wikiTargets: left('wikiTargets'),
  extractionJobs: left('extractionJobs'),
}

/** Cells that a rule opens together with the record that they belong to. */
export const cellsOfRules: ReadonlySet<string> = new Set(['indexEntries.entry'])

/** Compares rows of one vault with everything that says the same. */
export async function compareRows(
  db: Reader,
  ctx: Comparing,
  scope: VaultScope,
  { table, rows }: { table: string; rows: readonly Row[] },
): Promise<Found[]> {
  const rule = (rules as Readonly<Record<string, Rule<never>>>)[table]
  return rule === undefined ? [] : rule(db, ctx, scope, rows as readonly never[])
}

export interface CheckedTable {
  table: string
  /** The rest of the primary key, after the owner. */
  key: readonly string[]
  /** The column with the id of the row's scope. */
  scope: string
  /** Undefined if it has no encrypted columns. */
  sealed: SealedPlace | undefined
}

/** What earlier checks remember is compared after all tables (`digest-walk.ts`). */
const ownPlaces = sealedPlaces.filter(({ table }) => table !== 'vaultDigests')

/** All tables that are checked, in this order: first what is read for what follows. */
export const checkedTables: readonly CheckedTable[] = [
  ...ownPlaces.map((sealed) => ({ table: sealed.table, key: sealed.key, scope: sealed.scope, sealed })),
  { table: 'vaultKeys', key: ['scopeId', 'generation'], scope: 'scopeId', sealed: undefined },
  ...(
    [
      ['memoryReads', ['vaultId', 'memoryId']],
      ['claimedWrites', ['vaultId', 'externalTag']],
      ['noteTags', ['vaultId', 'tag', 'noteId']],
      ['wikiTargets', ['vaultId', 'titleTag', 'noteId']],
      ['extractionJobs', ['vaultId', 'turnId']],
      ['indexRemovals', ['vaultId', 'seq', 'itemId']],
    ] as const
  ).map(([table, key]) => ({ table, key, scope: 'vaultId', sealed: undefined })),
]
