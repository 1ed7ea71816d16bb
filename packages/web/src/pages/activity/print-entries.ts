import type { ActivityEntry } from '@holdfast/client/dashboard'
import { printCsv } from '../../components/text/print-csv.ts'

const fieldsBefore = ['at', 'actor', 'label', 'keyLast4'] as const satisfies readonly (keyof ActivityEntry)[]

const fieldsAfter = [
  'operation',
  'class',
  'recordType',
  'recordId',
  'recordTitle',
  'records',
  'vaultId',
  'calls',
  'status',
  'address',
  'id',
] as const satisfies readonly (keyof ActivityEntry)[]

const columns = [...fieldsBefore, 'memberEmail', 'memberName', ...fieldsAfter]

export const printEntries = (entries: readonly ActivityEntry[]): string =>
  printCsv(
    columns,
    entries.map((entry) => [
      ...fieldsBefore.map((field) => entry[field]),
      entry.member?.email ?? null,
      entry.member?.name ?? null,
      ...fieldsAfter.map((field) => entry[field]),
    ]),
  )
