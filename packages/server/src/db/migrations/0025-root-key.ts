import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** Since when the root key is in use, what it takes the place of, and which keys the servers of one database have. */
export const rootKey: Migration = {
  name: '0025-root-key',
  statements: ({ read, columns }) => [
    read.schema.alterTable('instance').addColumn('rootKeySince', columns.long),
    read.schema.alterTable('instance').addColumn('formerRootKeyId', 'text'),
    table(read.schema, columns, 'servers', ['id'], {
      text: ['id', 'name', 'rootKeyIds'],
      bytes: [],
      long: ['seenAt'],
      small: [],
    }),
  ],
}
