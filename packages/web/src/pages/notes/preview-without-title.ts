import type { NoteOutline } from '@holdfast/client/dashboard'

/** Many notes begin with their title as a heading, which the list shows already. */
export function previewWithoutTitle({ title, preview }: Pick<NoteOutline, 'title' | 'preview'>): string {
  const name = title.trim()
  const isRepeated = name !== '' && preview.toLowerCase().startsWith(name.toLowerCase())
  const rest = preview.slice(name.length)
  // Otherwise the title is only the beginning of a longer word.
  return isRepeated && !/^[\p{L}\p{N}]/u.test(rest) ? rest.trim() : preview
}
