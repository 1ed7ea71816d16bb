import type { Migration } from '../migrate.ts'
import { table } from './table.ts'

export const limits: Migration = {
  name: '0010-limits',
  statements: ({ read, columns }) => [
    table(read.schema, columns, 'usage', ['userId', 'month', 'kind'], {
      text: ['userId', 'month', 'kind'],
      bytes: [],
      long: ['units'],
      small: [],
    }),
    table(read.schema, columns, 'rateCounts', ['userId', 'requestClass', 'server'], {
      text: ['userId', 'requestClass', 'server', 'counts'],
      bytes: [],
      long: ['at'],
      small: [],
    }),
  ],
}
