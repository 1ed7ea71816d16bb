/**
 * Prints a Markdown table with padded columns, so it is also readable as plain text. The first `texts` columns are aligned to the left, figures to
 * the right.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`
  const rule = widths.map((width, column) => (column < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}
