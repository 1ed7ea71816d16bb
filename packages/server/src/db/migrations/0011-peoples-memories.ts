import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/**
 * Finds people's memories for a session start as fast among many by agents: with 50,000 constraints by agents, it took 190 ms. Writes by
 * agents don't touch it.
 */
export const peoplesMemories: Migration = {
  name: '0011-peoples-memories',
  statements: ({ columns, dialect }) => {
    const { index } = describeSchema(columns)
    return [
      index(
        'memories_peoples',
        'memories',
        'userId vaultId type importance occurredAt expiresAt archivedAt supersededById',
        '"integrationId" IS NULL AND "archivedAt" IS NULL AND "supersededById" IS NULL',
      ),
      ...(dialect === 'sqlite' ? statistics : []),
    ]
  },
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_peoples', '100000 100000 100000 10000 2000 1 1 1 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
