import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

/** Keys of people's devices that sign them in, and the challenges that such keys have answered. */
export const passkeys: Migration = {
  name: '0023-passkeys',
  statements: ({ read, columns }) => [
    table(read.schema, columns, 'passkeys', ['userId', 'id'], {
      text: ['userId', 'id'],
      bytes: ['credentialTag', 'credential', 'name'],
      long: ['counter', 'createdAt', 'lastUsedAt?'],
      small: [],
    }),
    read.schema.createIndex('passkeys_credential').on('passkeys').column('credentialTag').unique(),
    table(read.schema, columns, 'spentChallenges', ['userId', 'challengeHash'], {
      text: ['userId'],
      bytes: ['challengeHash'],
      long: ['expiresAt'],
      small: [],
    }),
  ],
}
