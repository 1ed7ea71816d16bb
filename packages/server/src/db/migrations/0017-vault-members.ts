import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/** Vaults that several people use: who may, who is invited, and which of them made a call. */
export const vaultMembers: Migration = {
  name: '0017-vault-members',
  statements: ({ columns, dialect }) => {
    const { table, index } = describeSchema(columns)
    return [
      table('vaultMembers', {
        key: 'userId vaultId memberId',
        text: 'userId vaultId memberId role',
        long: 'joinedAt',
      }),
      index('vaultMembers_member', 'vaultMembers', 'memberId'),
      table('vaultInvitations', {
        key: 'userId vaultId id',
        text: 'userId vaultId id invitedId? role invitedBy',
        long: 'invitedAt',
        bytes: 'email',
      }),
      index('vaultInvitations_invited', 'vaultInvitations', 'invitedId'),
      `ALTER TABLE "activity" ADD COLUMN "memberId" text`,
      ...(dialect === 'sqlite' ? statistics : []),
    ]
  },
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('vaultMembers', 'sqlite_autoindex_vaultMembers_1', '100 10 5 1'),
    ('vaultMembers', 'vaultMembers_member', '100 5'),
    ('vaultInvitations', 'sqlite_autoindex_vaultInvitations_1', '100 10 5 1'),
    ('vaultInvitations', 'vaultInvitations_invited', '100 2')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
