/** What an import skipped or changed. Apart from the readers, since pages show it without them. */
export interface Notice {
  /** In the plural: `damaged lines, skipped`. */
  what: string
  count: number
  examples: readonly string[]
}

/** One line, right for every count: `Damaged lines, skipped: 1 (a.jsonl)`. */
export function describeNotice({ what, count, examples }: Notice): string {
  const shown = examples.join(', ') + (count > examples.length ? ', …' : '')
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}: ${count}${shown === '' ? '' : ` (${shown})`}`
}
