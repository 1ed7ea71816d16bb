import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Which run an agent's mark is of, and what it was before: a run that begins twice is told of the same changes. */
export const sessionRuns: Migration = {
  name: '0014-session-runs',
  statements: ({ read: { schema }, columns }) => [
    schema.alterTable('sessionMarks').addColumn('runTag', columns.bytes === 'blob' ? sql`blob` : sql`bytea`),
    schema.alterTable('sessionMarks').addColumn('sinceAt', columns.long),
    schema.alterTable('sessionMarks').addColumn('sinceSeq', columns.long),
  ],
}
