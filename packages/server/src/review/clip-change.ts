import { z } from 'zod'
import { textChange, type TextChange } from '../memories/former-text.ts'

/** How many characters of a text a review shows. */
export const shownChars = 2_000

/** How much of an unchanged beginning is shown. */
const shownBeforeChange = 300

export const reviewedChange = textChange
  .extend({ isCut: z.boolean().describe('Whether the texts go on after what is shown, so that more can differ.') })
  .meta({ id: 'ReviewedChange' })

export type ReviewedChange = z.input<typeof reviewedChange>

/** Cuts long texts to a part that begins shortly before they differ. What comes before that part is the same in both. */
export function clipChange({ field, before, after }: TextChange): ReviewedChange {
  const start = startOfShown(before ?? '', after ?? '')
  const clip = (text: string | null) => text && clipFrom(text, start)
  return { field, before: clip(before), after: clip(after), isCut: isCut({ before, after }) }
}

function isCut({ before, after }: Pick<TextChange, 'before' | 'after'>): boolean {
  const [older, newer] = [before ?? '', after ?? '']
  return Math.max(older.length, newer.length) > startOfShown(older, newer) + shownChars
}

const startOfShown = (before: string, after: string) => Math.max(0, commonStart(before, after) - shownBeforeChange)

function clipFrom(text: string, start: number): string {
  const end = start + shownChars
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? ' …' : ''}`
}

function commonStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}
