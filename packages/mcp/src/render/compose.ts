import { withoutHalfPair } from './one-line.ts'
import { defused, fenceChars, fenced } from './recall-fence.ts'

/** What a tool answers, before it is made to fit. */
export interface Answer {
  /** Lines of ours, before what was found. */
  head?: readonly string[]
  /** Stored texts, an entry each: they are fenced, and left out from the end where there is no room. */
  recalled?: readonly string[]
  /** A text that is fenced already. */
  block?: string
  /** Lines of ours, behind. */
  tail?: readonly string[]
  /** The call that gets what was left out, where only so many of `recalled` are shown. */
  next?: (shown: number) => string
  /** How many there are in all, where more were found than were fetched. */
  total?: number
  /** The whole text as JSON, for clients that want nothing else; the longest text of it is cut to fit. */
  json?: Readonly<Record<string, unknown>>
  /** As the service answered, for hosts that ask for structure. */
  data?: Record<string, unknown>
}

/** No answer is longer unless the call asks for it: hosts cut longer ones, or put them into files. */
export const defaultMaxChars = 16_000
export const largestMaxChars = 100_000

const roomForNext = 400
const cutMark = '…cut here.'

/** One block of Markdown, at most so many characters, that ends with what was left out and the call that gets it. */
export function compose(answer: Answer, maxChars: number, vault?: string): string {
  if (answer.json !== undefined) return composeJson(answer.json, maxChars)
  const { head = [], recalled = [], block, tail = [], next, total = 0 } = answer
  const own = [...head, ...tail].join('\n').length + (block?.length ?? 0)
  const shown = fitting(recalled, maxChars - own - fenceChars - (vault?.length ?? 0) - roomForNext)
  const missing = Math.max(recalled.length, total) - shown.length
  const lines = [
    ...head,
    ...(shown.length > 0 ? [fenced(shown, vault)] : []),
    ...(block === undefined ? [] : [block]),
    ...tail,
    ...(missing > 0 ? [moreLine(missing, next?.(shown.length))] : []),
  ]
  return cut(lines.join('\n'), maxChars)
}

const moreLine = (missing: number, next: string | undefined) =>
  `…${missing} more.${next === undefined ? '' : ` Next: ${next}`}`

function fitting(entries: readonly string[], room: number): string[] {
  const shown: string[] = []
  let used = 0
  for (const entry of entries) {
    used += entry.length + 1
    if (used > room) break
    shown.push(entry)
  }
  const [first] = entries
  if (shown.length > 0 || first === undefined || room < 200) return shown
  // Better the beginning of one than nothing.
  return [`${withoutHalfPair(first.slice(0, room - cutMark.length - 1))}\n${cutMark}`]
}

const cut = (text: string, maxChars: number) =>
  text.length <= maxChars ? text : `${withoutHalfPair(text.slice(0, maxChars - cutMark.length))}${cutMark}`

/** A line about one record: what is known of it, then its text, which cannot pose as another line. */
export const entryLine = (about: readonly (string | undefined)[], text: string): string =>
  `- ${defused(about.filter((part) => part !== undefined && part !== '').join(' '))} · ${defused(text)}`

function composeJson(value: Readonly<Record<string, unknown>>, maxChars: number): string {
  const text = JSON.stringify(value)
  if (text.length <= maxChars || typeof value['text'] !== 'string') return text
  // An escape takes up to six characters.
  const kept = withoutHalfPair(value['text'].slice(0, Math.floor((maxChars - 1_000) / 6)))
  return JSON.stringify({ ...value, text: `${kept}${cutMark}` })
}
