import type { Migration } from '../migrate.ts'
import { describeSchema } from './table.ts'

/**
 * Finds the few entries by people and the few failed ones among a million without looking at all of them. Most writes touch neither index.
 */
export const activityFilters: Migration = {
  name: '0015-activity-filters',
  statements: ({ columns, dialect }) => {
    const { index } = describeSchema(columns)
    return [
      index('activity_people', 'activity', 'userId actor id', `"actor" <> 'agent'`),
      index(
        'activity_failed',
        'activity',
        'userId id at class actor integrationId operation status',
        '"status" >= 400',
      ),
      ...(dialect === 'sqlite' ? statistics : []),
    ]
  },
}

const statistics = [
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('activity', 'activity_people', '2000 2000 500 1'),
    ('activity', 'activity_failed', '2000 2000 1 1 1 1 1 1 1')`,
  // Reloads them in the open connection.
  'ANALYZE sqlite_schema',
]
