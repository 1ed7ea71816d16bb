import { fenceRecalled, markRecalled, newBoundary } from '@holdfast/client'
import { clip, boundaryAt } from './one-line.ts'
import { defused, type Item } from './recall-fence.ts'

/** The answer of a tool, before it is cut to size. */
export interface Answer {
  /** Our lines before the stored texts. */
  head?: readonly string[]
  /** Stored texts, one per entry, already defused. They are put between marks and dropped from the end if there is no space. */
  recalled?: readonly (string | Item)[]
  /** Stored texts shown in full, over as many answers as necessary. Used instead of `recalled`. */
  whole?: Whole
  /** A text that already has marks. */
  block?: string
  /** Our lines after the stored texts. */
  tail?: readonly string[]
  /** The call that returns the rest, if only `shown` entries of `recalled` fit. */
  next?: (shown: number) => string
  /** The total, if more were found than fetched. */
  total?: number
  /** Maximum length, if the call sets it. */
  maxChars?: number | undefined
  /** The whole answer as JSON, for clients that accept nothing else. Its `text` gets recall marks and is cut to fit. */
  json?: Readonly<Record<string, unknown>>
  /** The server's answer, for hosts that request structured content. */
  data?: Record<string, unknown>
}

export interface Whole {
  items: readonly WholeItem[]
  /** How much of the first text was shown before. */
  offset: number
  /** The call that continues with this item from this character. */
  next(item: number, offset: number): string
}

export interface WholeItem {
  id: string
  text: string
  /** Prints a part of the text with the attributes of the item. Adds the same length to every part. */
  show(part: string): Item
}

/** Default limit of an answer, because hosts cut longer ones or write them to files. */
export const defaultMaxChars = 16_000
export const largestMaxChars = 100_000
/** Minimum limit for texts in full: space for 50 more ids and the attributes of one item. */
export const minWholeChars = 4_000

const cutMark = '…cut here.'
/** Do not start a text with less space than this. */
const minPartChars = 200

/** Prints an answer as Markdown within its limit. The last line says what is missing and which call returns it. */
export function compose(answer: Answer, vault?: string): string {
  const { json, whole, maxChars = defaultMaxChars } = answer
  if (json !== undefined) return composeJson(json, maxChars)
  const fence = { vault, boundary: newBoundary() }
  return whole === undefined ? composeList(answer, maxChars, fence) : composeWhole(answer, whole, maxChars, fence)
}

/** The marks of one answer. */
interface Fence {
  vault: string | undefined
  boundary: string
}

function composeList(answer: Answer, maxChars: number, fence: Fence): string {
  const { next, total = 0 } = answer
  const recalled = (answer.recalled ?? []).map((entry) => (typeof entry === 'string' ? entry : entry(fence.boundary)))
  const count = Math.max(recalled.length, total)
  const more = (shown: number, isCut = false) => moreLine(count - shown - (isCut ? 1 : 0), next?.(shown))
  for (let shown = countFitting(recalled, maxChars); shown > 0 || recalled.length === 0; shown--) {
    const text = print(answer, recalled.slice(0, shown), more(shown), fence)
    if (text.length <= maxChars) return text
    if (shown === 0) break
  }
  const [first = ''] = recalled
  const room = maxChars - print(answer, [`\n${cutMark}`], more(0, true), fence).length
  // The start of one text is better than nothing.
  const begun = room >= minPartChars ? [`${clip(first, room)}\n${cutMark}`] : []
  return cut(print(answer, begun, more(0, begun.length > 0), fence), maxChars)
}

/** Prints texts in full. If the space ends within one, the next answer continues at exactly that character. */
function composeWhole(answer: Answer, whole: Whole, maxChars: number, fence: Fence): string {
  const { items, offset, next } = whole
  const { boundary } = fence
  const shown: string[] = []
  let room = maxChars - print(answer, [''], '', fence).length
  for (const [at, { id, text, show }] of items.entries()) {
    const from = at === 0 ? boundaryAt(text, offset) : 0
    const full = show(text.slice(from))(boundary)
    const behind = moreLine(items.length - at - 1, next(at + 1, 0))
    if (full.length + behind.length + 2 <= room) {
      shown.push(full)
      room -= full.length + 1
      continue
    }
    const describePart = (to: number) => `${id}: characters ${from} to ${to} of ${text.length}. Next: ${next(at, to)}`
    const fits = room - show('')(boundary).length - describePart(text.length).length - 2
    if (fits < minPartChars && shown.length > 0)
      return print(answer, shown, moreLine(items.length - at, next(at, 0)), fence)
    const to = boundaryAt(text, from + Math.max(fits, 2))
    return print(answer, [...shown, show(text.slice(from, to))(boundary)], describePart(to), fence)
  }
  return print(answer, shown, '', fence)
}

function print({ head = [], block, tail = [] }: Answer, entries: readonly string[], more: string, fence: Fence) {
  const parts = [entries.length > 0 ? fenceRecalled(entries.join('\n'), fence) : '', block ?? '', ...tail, more]
  return [...head, ...parts.filter((part) => part !== '')].join('\n')
}

const moreLine = (missing: number, next: string | undefined) =>
  missing <= 0 ? '' : `…${missing} more.${next === undefined ? '' : ` Next: ${next}`}`

function countFitting(entries: readonly string[], room: number): number {
  let used = 0
  const beyond = entries.findIndex((entry) => (used += entry.length + 1) > room)
  return beyond < 0 ? entries.length : beyond
}

export const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${clip(text, maxChars - cutMark.length)}${cutMark}`

/** Prints a record on one line: its attributes, then its text, which cannot pretend to be another line. */
export const entryLine = (about: readonly (string | undefined)[], text: string): string =>
  [about.filter((part) => part !== undefined && part !== '').join(' '), text]
    .flatMap((part) => (part === '' ? [] : defused(part)))
    .join(' · ')
    .replace(/^/, '- ')

function composeJson(value: Readonly<Record<string, unknown>>, maxChars: number): string {
  const { text, ...others } = value
  if (typeof text !== 'string') return JSON.stringify(value)
  const asJson = (shown: string) => JSON.stringify({ ...others, text: markRecalled(shown) })
  const whole = asJson(text)
  // An escape takes up to six characters.
  return whole.length <= maxChars ? whole : asJson(cut(text, Math.floor((maxChars - 1_000) / 6)))
}
