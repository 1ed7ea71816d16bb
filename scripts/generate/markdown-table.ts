/** Prints a Markdown table with aligned columns, like the formatter. Escapes pipes and line breaks in cells. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')))
  const widths = header.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)))
  const [first = '', ...others] = lines.map((line) => printLine(line.map((cell, at) => cell.padEnd(widths[at] ?? 0))))
  return [first, printLine(widths.map((width) => '-'.repeat(width))), ...others].join('\n')
}

const printLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
