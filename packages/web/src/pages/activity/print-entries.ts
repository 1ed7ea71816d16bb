import type { ActivityEntry } from '@holdfast/client/dashboard'
import { printCsv } from '../../components/text/print-csv.ts'

const columns = [
  'at',
  'actor',
  'label',
  'keyLast4',
  'operation',
  'class',
  'recordType',
  'recordId',
  'records',
  'vaultId',
  'calls',
  'status',
  'address',
  'id',
] as const satisfies readonly (keyof ActivityEntry)[]

export const printEntries = (entries: readonly ActivityEntry[]): string =>
  printCsv(
    columns,
    entries.map((entry) => columns.map((column) => entry[column])),
  )
