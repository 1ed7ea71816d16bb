import { markRecalled } from '@holdfast/client'
import { clip, wholeAt } from './one-line.ts'
import { defused, fenced } from './recall-fence.ts'

/** What a tool answers, before it is made to fit. */
export interface Answer {
  /** Lines of ours, before what was found. */
  head?: readonly string[]
  /** Stored texts, an entry each, defused: they are fenced, and left out from the end where there is no room. */
  recalled?: readonly string[]
  /** Stored texts that are shown whole one after the other, over as many answers as it takes; in place of `recalled`. */
  whole?: Whole
  /** A text that is fenced already. */
  block?: string
  /** Lines of ours, behind. */
  tail?: readonly string[]
  /** The call that gets what was left out, where only so many of `recalled` are shown whole. */
  next?: (shown: number) => string
  /** How many there are in all, where more were found than were fetched. */
  total?: number
  /** How long the answer may be, where the call says it. */
  maxChars?: number | undefined
  /** The whole answer as JSON, for clients that want nothing else; its `text` is marked as recalled, and cut to fit. */
  json?: Readonly<Record<string, unknown>>
  /** As the service answered, for hosts that ask for structure. */
  data?: Record<string, unknown>
}

export interface Whole {
  items: readonly WholeItem[]
  /** How much of the first was shown before. */
  offset: number
  /** The call that goes on with this item, from this character. */
  next(item: number, offset: number): string
}

export interface WholeItem {
  id: string
  text: string
  /** A part of the text, with what is known of the item; as much longer for every part. */
  show(part: string): string
}

/** No answer is longer unless the call asks for it: hosts cut longer ones, or put them into files. */
export const defaultMaxChars = 16_000
export const largestMaxChars = 100_000
/** Of texts shown whole: room for the ids of fifty more, and what is known of one. */
export const leastWholeChars = 4_000

const cutMark = '…cut here.'
/** Less of a text is not worth beginning with. */
const leastPart = 200

/** One block of Markdown, at most so many characters, that ends with what was left out and the call that gets it. */
export function compose(answer: Answer, vault?: string): string {
  const { json, whole, maxChars = defaultMaxChars } = answer
  if (json !== undefined) return composeJson(json, maxChars)
  return whole === undefined ? composeList(answer, maxChars, vault) : composeWhole(answer, whole, maxChars, vault)
}

function composeList(answer: Answer, maxChars: number, vault: string | undefined): string {
  const { recalled = [], next, total = 0 } = answer
  const count = Math.max(recalled.length, total)
  const more = (shown: number, isCut = false) => moreLine(count - shown - (isCut ? 1 : 0), next?.(shown))
  for (let shown = countFitting(recalled, maxChars); shown > 0 || recalled.length === 0; shown--) {
    const text = print(answer, recalled.slice(0, shown), more(shown), vault)
    if (text.length <= maxChars) return text
    if (shown === 0) break
  }
  const [first = ''] = recalled
  const room = maxChars - print(answer, [`\n${cutMark}`], more(0, true), vault).length
  // Better the beginning of one than nothing.
  const begun = room >= leastPart ? [`${clip(first, room)}\n${cutMark}`] : []
  return cut(print(answer, begun, more(0, begun.length > 0), vault), maxChars)
}

/** All of each text: where the room ends within one, the next answer begins at the very character. */
function composeWhole(answer: Answer, whole: Whole, maxChars: number, vault: string | undefined): string {
  const { items, offset, next } = whole
  const shown: string[] = []
  let room = maxChars - print(answer, [''], '', vault).length
  for (const [at, { id, text, show }] of items.entries()) {
    const from = at === 0 ? wholeAt(text, offset) : 0
    const full = show(text.slice(from))
    const behind = moreLine(items.length - at - 1, next(at + 1, 0))
    if (full.length + behind.length + 2 <= room) {
      shown.push(full)
      room -= full.length + 1
      continue
    }
    const goOn = (to: number) => `${id}: characters ${from} to ${to} of ${text.length}. Next: ${next(at, to)}`
    const fits = room - show('').length - goOn(text.length).length - 2
    if (fits < leastPart && shown.length > 0)
      return print(answer, shown, moreLine(items.length - at, next(at, 0)), vault)
    const to = wholeAt(text, from + Math.max(fits, 2))
    return print(answer, [...shown, show(text.slice(from, to))], goOn(to), vault)
  }
  return print(answer, shown, '', vault)
}

function print({ head = [], block, tail = [] }: Answer, entries: readonly string[], more: string, vault?: string) {
  const parts = [entries.length > 0 ? fenced(entries, vault) : '', block ?? '', ...tail, more]
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

/** A line about one record: what is known of it, then its text, which cannot pose as another line. */
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
