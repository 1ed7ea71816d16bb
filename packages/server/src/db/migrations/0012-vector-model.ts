import type { Migration } from '../migrate.ts'

/** Which model a record's vectors are of: after a change of model all others are embedded anew. */
export const vectorModel: Migration = {
  name: '0012-vector-model',
  statements: ({ read }) => [read.schema.alterTable('indexEntries').addColumn('vectorModel', 'text')],
}
