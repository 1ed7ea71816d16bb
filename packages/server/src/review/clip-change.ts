import type { TextChange } from '../memories/former-text.ts'

/** How many characters of a text a review shows. */
export const shownChars = 2_000

/** How much of an unchanged beginning is shown. */
const shownBeforeChange = 300

/** Cuts long texts to a part that begins shortly before they differ. */
export function clipChange({ field, before, after }: TextChange): TextChange {
  const start = Math.max(0, commonStart(before ?? '', after ?? '') - shownBeforeChange)
  const clip = (text: string | null) => text && clipFrom(text, start)
  return { field, before: clip(before), after: clip(after) }
}

function clipFrom(text: string, start: number): string {
  const end = start + shownChars
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? ' …' : ''}`
}

function commonStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}
