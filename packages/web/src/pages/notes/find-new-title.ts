/**
 * The title to save after a person typed in the title field, or undefined if there is nothing to save. Spaces are only tidied in what was
 * typed: agents may use titles with several spaces or line breaks, and looking at such a note must not rename it.
 */
export function findNewTitle(typed: string, title: string): string | undefined {
  if (typed === title) return undefined
  const next = typed.replace(/\s+/g, ' ').trim()
  return next === '' || next === title ? undefined : next
}
