import type { Migration } from '../migrate.ts'
import { describeSchema, type SchemaWords } from './table.ts'

/**
 * The activity log takes 257 bytes an entry instead of 506, because ids are bytes here: only pages about the activity read it, so
 * converting them costs next to nothing. Without the index of records, a write changes a page less; finding a record's entries among
 * 500,000 takes 0.16 s, like other filters.
 *
 * The index of changes doesn't have the owner any more: every query reads the rows anyway, where the owner is checked.
 *
 * In SQLite, the old table of activity is copied, as in migration 19: with 200,000 entries in 2.1 s of processor time, the file grows from
 * 96 MB to 144 MB, and the WAL to 144 MB.
 *
 * A damaged id becomes null, and an entry whose own id is damaged is left out: a line of the log must not keep the server from starting.
 */
export const leanerRows: Migration = {
  name: '0023-leaner-rows',
  statements: ({ columns, dialect }) => {
    const schema = describeSchema(columns)
    return [
      'DROP INDEX "indexEntries_changes"',
      schema.index('indexEntries_changes', 'indexEntries', 'vaultId seq'),
      ...(dialect === 'sqlite' ? [...rebuildActivity(schema), ...statistics] : activityInPlace),
    ]
  },
}

const ids = ['id', 'vaultId', 'integrationId', 'memberId', 'credentialId', 'recordId']
const others = 'userId actor operation class recordKind at records calls status address'.split(' ')

const uuid = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`
const decoded = (id: string) => `CASE WHEN "${id}" ~ ${uuid} THEN decode(replace("${id}", '-', ''), 'hex') END`

const activityInPlace = [
  'DROP INDEX "activity_record"',
  `DELETE FROM "activity" WHERE "id" !~ ${uuid}`,
  `ALTER TABLE "activity" ${ids.map((id) => `ALTER COLUMN "${id}" TYPE bytea USING ${decoded(id)}`).join(', ')}`,
]

const unhexed = (id: string) =>
  `CASE WHEN length("${id}") = 36 AND length(unhex(replace("${id}", '-', ''))) = 16 THEN unhex(replace("${id}", '-', '')) END`

const rebuildActivity = (schema: SchemaWords) => [
  schema.table('activity_lean', {
    key: 'userId id',
    clustered: true,
    text: 'userId actor operation class recordKind?',
    long: 'at',
    small: 'records calls status',
    bytes: 'id vaultId? integrationId? memberId? credentialId? recordId? address?',
  }),
  `INSERT INTO "activity_lean" (${quoted([...ids, ...others])})
    SELECT ${ids.map(unhexed).join(', ')}, ${quoted(others)}
    FROM "activity" WHERE ${unhexed('id')} IS NOT NULL ORDER BY "userId", "id"`,
  'DROP TABLE "activity"',
  'ALTER TABLE "activity_lean" RENAME TO "activity"',
  schema.index('activity_class', 'activity', 'userId class id', `"class" NOT IN ('content', 'read')`),
  schema.index('activity_people', 'activity', 'userId actor id', `"actor" <> 'agent'`),
  schema.index(
    'activity_failed',
    'activity',
    'userId id at class actor integrationId operation status',
    '"status" >= 400',
  ),
]

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('indexEntries', 'indexEntries_changes', '1000000 1000000 2'),
    ('activity', 'activity', '1000000 1000000 1'),
    ('activity', 'activity_class', '2000 2000 500 1'),
    ('activity', 'activity_people', '2000 2000 500 1'),
    ('activity', 'activity_failed', '2000 2000 1 1 1 1 1 1 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
