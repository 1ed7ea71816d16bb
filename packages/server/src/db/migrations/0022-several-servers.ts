import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/**
 * The embedding model, and the length of its vectors, that all records were last compared with: a start needn't compare them again. And in
 * PostgreSQL, the failed attempts to sign in, which all servers count together.
 */
export const severalServers: Migration = {
  name: '0022-several-servers',
  statements: ({ columns }) => [
    'ALTER TABLE "instance" ADD COLUMN "checkedModel" text',
    'ALTER TABLE "instance" ADD COLUMN "checkedDims" integer',
    describeSchema(columns).table('logInFailures', {
      key: 'tag',
      long: 'lastAt blockedUntil',
      small: 'count',
      bytes: 'tag',
    }),
  ],
}
