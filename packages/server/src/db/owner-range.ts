import { sql, type SqlBool } from 'kysely'

/** The owners whose ids are greater than `after`, and at most `upTo`; undefined: up to the last one. */
export interface OwnerRange {
  after: string
  upTo: string | undefined
}

export const allOwners: OwnerRange = { after: '', upTo: undefined }

/** Whether the owner in this column is in the range. Each table's key begins with its owner, so only these rows are read. */
export const isWithin = (column: string, { after, upTo }: OwnerRange) =>
  upTo === undefined
    ? sql<SqlBool>`${sql.ref(column)} > ${after}`
    : sql<SqlBool>`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${upTo}`
