/** Marks around words. Single ones are part of the text, as in `src/**` or `__init__`. */
const markedWords = /(\*\*|`)(?=\S)([^*`]*[^*`\s])\1/g

/** A title as a reading view shows it. */
export const withoutMarks = (title: string): string => title.replace(markedWords, '$2')

/** Marks that previews leave out and titles of memories have. */
const marks = /\*\*|__|~~|`/g

/** Many texts begin with their title, which the list shows already. */
export function previewWithoutTitle({ title, preview }: { title: string; preview: string }): string {
  const whole = title.replace(marks, '').trim()
  const name = whole.replace(/…$/, '')
  const isRepeated = name !== '' && preview.toLowerCase().startsWith(name.toLowerCase())
  const rest = preview.slice(name.length)
  // A title can be longer than the preview, which was cut.
  if (preview.endsWith('…') && name.toLowerCase().startsWith(preview.slice(0, -1).toLowerCase())) return ''
  if (!isRepeated) return preview
  // A title that was cut goes on in the preview.
  if (name !== whole) return rest === '…' || rest === '' ? '' : `…${rest}`
  // Otherwise the title is only the beginning of a longer word.
  return /^[\p{L}\p{N}]/u.test(rest) ? preview : rest.trim()
}
