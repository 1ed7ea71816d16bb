import type { ActivityEntry } from '@holdfast/client/dashboard'

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

/** RFC 4180. What a spreadsheet would take for a formula (CWE-1236) is led by an apostrophe: agents choose what they are called. */
function cell(value: string | number | null): string {
  const text = String(value ?? '')
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const printCsv = (entries: readonly ActivityEntry[]): string =>
  [columns.join(','), ...entries.map((entry) => columns.map((column) => cell(entry[column])).join(',')), ''].join(
    '\r\n',
  )
