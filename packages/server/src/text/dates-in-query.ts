import type { DateWindow } from './calendar.ts'
import { dayMs } from '../core/time.ts'
import {
  dayWindow,
  monthNumber,
  monthPattern,
  months,
  monthWindow,
  startOfDay,
  startOfWeek,
  widen,
  yearWindow,
} from './calendar.ts'

/**
 * The dates in a question, as time windows. Only unambiguous dates count: not "recently", "soon" or seasons (in which
 * hemisphere?), and "may" and "march" only where they must be months. A wrong window costs more than a missing one, so
 * the table is short. English only.
 */

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weekday = '(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\\b'
const dayOfMonth = '(\\d{1,2})(?:st|nd|rd|th)?\\b'
const year = '((?:19|20)\\d\\d)\\b'
const optionalYear = `(?:,? (?:of )?${year})?`
const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const amount = `(\\d{1,3}|an?|a couple of|a few|${numbers.join('|')})`
const unit = '(day|week|month|year)s?\\b'
const part =
  '(?:(early|mid|middle of|late|beginning of|start of|end of|(?:first|second|third|fourth|last) week of)[ -](?:the month of )?)'

/** The number is a count, not a date: "in 2000 ms", "half of 2000 users", "may 3 workers run at once". */
const counted =
  '(?=-\\p{L}|[.,]\\d| (?!(?:is|was|has|does|this|his|its|as|us|always|across|besides|versus|plus|perhaps)\\b)(?:\\p{L}+[^\\Wsiu]s|ms|byte|bit|[kmgt]i?b|second|minute|hour|line|row|token|character|people|children)\\b)'
/** Parts of a year that may come before "of": not "a batch of 2026 rows". */
const partOfYear =
  '(?:months?|weeks?|quarter|half|part|rest|start|beginning|middle|end|spring|summer|autumn|fall|winter|holidays) of'
/** Abbreviations can be other words ("hex in dec", "the emails of Jan"), so a month on its own must be written out. */
const wholeMonth = `(${months.slice(0, 12).join('|')})\\b`
/** Months that can be other words, as in "of 10 files 3 may fail", and what follows only if they are months. */
const otherWords = '(?:may|march|mar)\\b'
const closed = `(?=${otherWords}\\.?(?:,? (?:of )?(?:19|20)\\d\\d\\b|[.?!,;:)|]|$| (?:and|or|to|until|till|through) (?:\\d|(?:${months.join('|')})\\b)| (?:with|about|when|where|who|what|which|did|does|was|were|is|are|had|has|the|an?|my|our|his|her|their)\\b))`
/** What follows if "may" is a verb. Other verbs are too many to list. */
const noVerb = `(?!${otherWords} (?:be|not|have|also|still|never|only|even|well)\\b)`
const certain = `(?:(?!${otherWords})|${closed})`
const monthOfDay = `(?:of |${certain}|(?<=\\bon (?:the )?\\d{1,2}(?:st|nd|rd|th)? )${noVerb})${monthPattern}`
const noCount = `(?!${otherWords} \\d{1,2}\\b(?: ?(?:to|through|until|and|or|-|–) ?\\d{1,2}\\b)?${counted})`

function amountOf(text: string | undefined): number {
  if (text === undefined) return 1
  if (text === 'a couple of') return 2
  if (text === 'a few') return 3
  if (text === 'a' || text === 'an') return 1
  const named = numbers.indexOf(text)
  return named >= 0 ? named : Number(text)
}

const unitDays: Record<string, number> = { day: 1, week: 7, month: 30.44, year: 365.25 }

/** The year of a day or month without one: the latest in which it had begun when the question was asked. */
function yearBefore(asOfMs: number, monthIndex: number, day: number): number {
  const asOfYear = new Date(asOfMs).getUTCFullYear()
  return Date.UTC(asOfYear, monthIndex, day) < asOfMs ? asOfYear : asOfYear - 1
}

function namedDay(asOfMs: number, dayText?: string, monthText?: string, yearText?: string): DateWindow | undefined {
  const day = Number(dayText)
  const monthIndex = monthNumber(monthText)
  const inYear = yearText === undefined ? yearBefore(asOfMs, monthIndex, day) : Number(yearText)
  return day < 1 ? undefined : dayWindow(inYear, monthIndex, day)
}

/** A part of a month; early, mid and late are thirds. */
function partOfMonth(window: DateWindow, name: string | undefined): DateWindow {
  const { fromMs, toMs } = window
  const third = (toMs - fromMs) / 3
  const week = ['first', 'second', 'third', 'fourth', 'last'].indexOf(name?.split(' ')[0] ?? '')
  if (week === 4) return { fromMs: toMs - 7 * dayMs, toMs }
  if (week >= 0) return { fromMs: fromMs + week * 7 * dayMs, toMs: fromMs + (week + 1) * 7 * dayMs }
  if (name === 'early' || name === 'beginning of' || name === 'start of') return { fromMs, toMs: fromMs + third }
  if (name === 'mid' || name === 'middle of') return { fromMs: fromMs + third, toMs: toMs - third }
  return { fromMs: toMs - third, toMs }
}

function namedMonth(asOfMs: number, monthText?: string, yearText?: string, partText?: string): DateWindow {
  const index = monthNumber(monthText)
  const window = monthWindow(yearText === undefined ? yearBefore(asOfMs, index, 1) : Number(yearText), index)
  return partText === undefined ? window : partOfMonth(window, partText)
}

/** "Three weeks ago" is as vague as its unit: give or take a week. */
function ago(asOfMs: number, count: number, unitName: string): DateWindow {
  const unitMs = (unitDays[unitName] ?? 1) * dayMs
  const day = startOfDay(asOfMs - count * unitMs)
  return widen({ fromMs: day, toMs: day + dayMs }, unitName === 'day' ? dayMs : unitMs / 2)
}

/** "Last week" is the previous calendar week, month or year; "this" is the current one. */
function calendarUnit(asOfMs: number, which: string, unitName: string): DateWindow {
  const asOf = new Date(asOfMs)
  const back = which === 'this' ? 0 : 1
  if (unitName === 'year') return yearWindow(asOf.getUTCFullYear() - back)
  if (unitName === 'month') return monthWindow(asOf.getUTCFullYear(), asOf.getUTCMonth() - back)
  const monday = startOfWeek(asOfMs) - back * 7 * dayMs
  if (unitName === 'weekend') return { fromMs: monday + 5 * dayMs, toMs: monday + 7 * dayMs }
  return { fromMs: monday, toMs: monday + 7 * dayMs }
}

function latestWeekday(asOfMs: number, name: string | undefined): DateWindow {
  const today = startOfDay(asOfMs)
  const back = (((today - startOfWeek(asOfMs)) / dayMs - dayNames.indexOf((name ?? '').slice(0, 3)) + 6) % 7) + 1
  return { fromMs: today - back * dayMs, toMs: today - (back - 1) * dayMs }
}

const today = (asOfMs: number, backDays: number): DateWindow => {
  const fromMs = startOfDay(asOfMs) - backDays * dayMs
  return { fromMs, toMs: fromMs + dayMs }
}

type Groups = readonly (string | undefined)[]
type Rule = readonly [pattern: string, read: (asOfMs: number, groups: Groups) => DateWindow | undefined]

function span(first: DateWindow | undefined, last: DateWindow | undefined): DateWindow | undefined {
  return first && last && first.fromMs <= last.toMs ? { fromMs: first.fromMs, toMs: last.toMs } : undefined
}

/** In order: later rules don't see what an earlier one has matched. */
const table: readonly Rule[] = [
  [`${year}-(\\d\\d)-(\\d\\d)(?:t[\\d:.]+z?)?`, (_, [y, m, d]) => dayWindow(Number(y), Number(m) - 1, Number(d))],
  [
    `${noCount}${monthPattern} ${dayOfMonth} ?(?:to|through|until|and|-|–) ?(?:${monthPattern} )?${dayOfMonth}${optionalYear}`,
    (asOf, [m, d, m2, d2, y]) => span(namedDay(asOf, d, m, y), namedDay(asOf, d2, m2 ?? m, y)),
  ],
  [
    `${dayOfMonth} ?(?:to|-|–) ?${dayOfMonth} ${monthOfDay}${optionalYear}`,
    (asOf, [d, d2, m, y]) => span(namedDay(asOf, d, m, y), namedDay(asOf, d2, m, y)),
  ],
  [`${noCount}${monthPattern} (?:the )?${dayOfMonth}${optionalYear}`, (asOf, [m, d, y]) => namedDay(asOf, d, m, y)],
  [`${dayOfMonth} ${monthOfDay}${optionalYear}`, (asOf, [d, m, y]) => namedDay(asOf, d, m, y)],
  [
    `${part}(?:(?<=of |-|\\b(?:in|by|since|until|from) (?:early|mid|late) )|${certain})${monthPattern}${optionalYear}`,
    (asOf, [p, m, y]) => namedMonth(asOf, m, y, p),
  ],
  [`${monthPattern},? (?:of )?${year}`, (asOf, [m, y]) => namedMonth(asOf, m, y)],
  [`(?:in|during|since|throughout|until) ${noVerb}${wholeMonth}(?! \\d)`, (asOf, [m]) => namedMonth(asOf, m)],
  [`(?:of|last) ${certain}${wholeMonth}(?! \\d)`, (asOf, [m]) => namedMonth(asOf, m)],
  [`(?:this|and|or) (?!${otherWords})${wholeMonth}(?! \\d)`, (asOf, [m]) => namedMonth(asOf, m)],
  // "In April and May", but neither "protest and march" nor "errors that this may cause".
  [`(?<=\\| )(?:and|or) ${noVerb}${wholeMonth}(?! \\d)`, (asOf, [m]) => namedMonth(asOf, m)],
  [`(?:in|during|since|throughout|${partOfYear}) ${year}(?!${counted})`, (_, [y]) => yearWindow(Number(y))],
  [`year ${year}`, (_, [y]) => yearWindow(Number(y))],
  ['the day before yesterday', (asOf) => today(asOf, 2)],
  ['yesterday|last night', (asOf) => today(asOf, 1)],
  ['today|tonight|this (?:morning|afternoon|evening)', (asOf) => today(asOf, 0)],
  [`${amount} ${unit} (?:ago|before now|back)\\b`, (asOf, [n, u]) => ago(asOf, amountOf(n), u ?? 'day')],
  [
    `(?:last|past|previous) ${amount} ${unit}`,
    (asOf, [n, u]) => ({
      fromMs: startOfDay(asOf - amountOf(n) * (unitDays[u ?? 'day'] ?? 1) * dayMs),
      toMs: asOf + 1,
    }),
  ],
  ['(last|past|previous|this) (week|weekend|month|year)\\b', (asOf, [w, u]) => calendarUnit(asOf, w ?? '', u ?? '')],
  [`(?:last|on|this past) ${weekday}`, (asOf, [d]) => latestWeekday(asOf, d)],
]

const rules = table.map(([pattern, read]) => [new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})`, 'gu'), read] as const)

/** How much of a question is searched for dates: of a longer one its beginning and its end, because agents ask before or after a text that they paste. */
const maxChars = 2000

/**
 * The time windows that a question names, if any. Relative dates count from `asOfMs`. A day without a year is the latest
 * such day before it.
 */
export function datesInQuery(query: string, asOfMs: number): DateWindow[] {
  const searched = query.length <= maxChars ? query : `${query.slice(0, maxChars / 2)}|${query.slice(-maxChars / 2)}`
  let text = searched.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ')
  const windows: DateWindow[] = []
  for (const [pattern, read] of rules) {
    text = text.replace(pattern, (...found: unknown[]) => {
      const window = read(asOfMs, groupsOf(found))
      if (window !== undefined) windows.push(window)
      return window === undefined ? String(found[0]) : '|'
    })
  }
  return windows
}

/** From the arguments of a `replace` callback: match, groups, offset, text. */
const groupsOf = (found: readonly unknown[]): Groups =>
  found.slice(1, -2).map((group) => (typeof group === 'string' ? group : undefined))
