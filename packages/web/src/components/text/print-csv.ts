type Cell = string | number | null

/** RFC 4180. What a spreadsheet would take for a formula (CWE-1236) is led by an apostrophe: agents choose what they are called. */
function cell(value: Cell): string {
  const text = String(value ?? '')
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const printCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
