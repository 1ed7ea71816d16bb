/**
 * The query with its last word completed to the first word of `names` that starts with it: `the harb` to `the harbour`. Undefined if there
 * is no such word, or if the query already has it.
 */
export function completeWord(query: string, names: readonly string[]): string | undefined {
  const last = /[\p{L}\p{N}]+$/u.exec(query)?.[0].toLowerCase()
  if (last === undefined) return undefined
  const words = names.flatMap((name) => name.match(/[\p{L}\p{N}]+/gu) ?? [])
  const whole = words.find((word) => word.toLowerCase().startsWith(last))
  if (whole === undefined || whole.length === last.length) return undefined
  return query.slice(0, query.length - last.length) + whole
}
