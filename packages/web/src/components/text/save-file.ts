/** Some browsers start reading the file only some time after the click. */
const keptMs = 60_000

/** Downloads the content as a file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}

type Cell = string | number | null

/** RFC 4180. Agents choose their names, so a text that a spreadsheet would run as a formula (CWE-1236) gets a leading apostrophe. */
function cell(value: Cell): string {
  const text = String(value ?? '')
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const printCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
