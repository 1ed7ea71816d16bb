import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/** Programs that register by themselves, and the connections that people allow them. A connection is an agent key whose secret changes. */
export const oauth: Migration = {
  name: '0014-oauth',
  statements: ({ columns, dialect }) => {
    const { table, index, unique } = describeSchema(columns)
    return [
      table('oauthClients', { key: 'id', text: 'id', long: 'createdAt expiresAt', bytes: 'metadata' }),
      index('oauthClients_expiry', 'oauthClients', 'expiresAt'),
      table('oauthGrants', {
        key: 'userId id',
        text: 'userId id integrationId',
        long: 'codeExpiresAt codeUsedAt?',
        bytes: 'codeHash familyHash? refreshHash? request',
      }),
      unique('oauthGrants_code', 'oauthGrants', 'codeHash'),
      unique('oauthGrants_family', 'oauthGrants', 'familyHash'),
      `ALTER TABLE "agentKeys" ADD COLUMN "secretExpiresAt" ${columns.long}`,
      ...(dialect === 'sqlite' ? statistics : []),
    ]
  },
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('oauthClients', 'sqlite_autoindex_oauthClients_1', '100 1'),
    ('oauthClients', 'oauthClients_expiry', '100 1'),
    ('oauthGrants', 'sqlite_autoindex_oauthGrants_1', '100 100 1'),
    ('oauthGrants', 'oauthGrants_code', '100 1'),
    ('oauthGrants', 'oauthGrants_family', '100 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
