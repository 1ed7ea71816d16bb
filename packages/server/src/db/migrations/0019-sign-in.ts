import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** What a sign-in asks for beside the password, and from which browser each session came. */
export const signIn: Migration = {
  name: '0019-sign-in',
  statements: ({ read, columns }) => [
    read.schema
      .alterTable('dashboardCredentials')
      .addColumn('client', columns.bytes === 'blob' ? sql`blob` : sql`bytea`),
    table(read.schema, columns, 'secondFactors', ['userId'], {
      text: ['userId', 'id'],
      bytes: ['secret'],
      long: ['createdAt', 'confirmedAt?', 'lastStep'],
      small: [],
    }),
    table(read.schema, columns, 'recoveryCodes', ['userId', 'codeHash'], {
      text: ['userId'],
      bytes: ['codeHash'],
      long: ['createdAt'],
      small: [],
    }),
  ],
}
