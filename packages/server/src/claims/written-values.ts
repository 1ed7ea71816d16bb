import { monthNumber, monthPattern } from '../text/calendar.ts'
import { rows } from './vocabulary.ts'

/**
 * Gives numbers, amounts, dates and times one notation: "five seconds" and "5 s", "3 March 2027" and "2027-03-03", "5 pm" and "17:00".
 * Ambiguous values such as "11/12/2026", "1.200" and "5 m" are not changed. Each step passes over the text once.
 */
export function unifyValues(text: string): string {
  const counted = readDays(readNumberWords(text.replace(nobodyBut, 'only ')))
  return /\d/.test(counted) ? steps.reduce((value, step) => step(value), counted) : counted
}

const nobodyBut = /\b(?:nobody|no one) (?:but|except(?: for)?) /gi

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const valueOf = (word: string): number => {
  const ten = tens.indexOf(word)
  return ten < 0 ? small.indexOf(word) : (ten + 2) * 10
}
const alternatives = (words: readonly string[]) => words.join('|')
const tensAndUnits = new RegExp(`\\b(${alternatives(tens)})[- ](${alternatives(small.slice(1, 10))})\\b`, 'gi')
const numberWord = new RegExp(`\\b(?:${alternatives([...small, ...tens])})\\b`, 'gi')

const readNumberWords = (text: string) =>
  text
    .replace(tensAndUnits, (_, ten: string, one: string) =>
      String(valueOf(ten.toLowerCase()) + valueOf(one.toLowerCase())),
    )
    .replace(numberWord, (word) => String(valueOf(word.toLowerCase())))

const joinThousands = (text: string) =>
  text.replace(/(?<![\d.,])\d{1,3}(?:,\d{3}){1,5}(?![\d,]|\.\d)/g, (number) => number.replaceAll(',', ''))

const zeros: Readonly<Record<string, number>> = { hundred: 2, thousand: 3, million: 6, billion: 9 }

const readMultiples = (text: string) =>
  text.replace(
    /(?<![\d.,])(\d{1,3}) (hundred|thousand|million|billion)\b/gi,
    (_, number: string, name: string) => `${number}${'0'.repeat(zeros[name.toLowerCase()] ?? 0)}`,
  )

/** Converts to the 24-hour clock; "9:00" becomes "09:00". */
const readTimes = (text: string) =>
  text
    .replace(
      /(?<![\d:.,])(\d{1,2})(?::([0-5]\d))?\s?([ap])(?:m\b|\.m\.)/gi,
      (written, hours: string, minutes: string | undefined, half: string) => {
        const hour = Number(hours)
        if (hour < 1 || hour > 12) return written
        return `${String((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes ?? '00'}`
      },
    )
    .replace(/(?<![\d:.,])(\d:[0-5]\d)(?![\d:])/g, '0$1')

const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '(?:,? (\\d{4}))?(?![\\d:.,]?\\d)'
const dayFirst = new RegExp(`(?<![\\d.,:/-])${day} (?:of )?${monthPattern}${year}`, 'gi')
const monthFirst = new RegExp(`\\b${monthPattern} ${day}\\b${year}`, 'gi')

/** "2027-03-03", or "-03-03" without a year. */
function asDate(written: string, dayOfMonth: string, name: string, yearNumber = ''): string {
  if (Number(dayOfMonth) < 1 || Number(dayOfMonth) > 31) return written
  return `${yearNumber}-${String(monthNumber(name) + 1).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
}

const readDates = (text: string) =>
  text
    .replace(dayFirst, (written, dayOfMonth: string, name: string, yearNumber?: string) =>
      asDate(written, dayOfMonth, name, yearNumber),
    )
    .replace(monthFirst, (written, name: string, dayOfMonth: string, yearNumber?: string) =>
      asDate(written, dayOfMonth, name, yearNumber),
    )

const shortDays = new Map(
  rows('Mon Monday, Tue Tuesday, Wed Wednesday, Thu Thursday, Fri Friday', ',') as [string, string][],
)

/** Without "Sat" and "Sun", which are also words. */
const readDays = (text: string) => text.replace(/\b(?:Mon|Tue|Wed|Thu|Fri)\b/g, (name) => shortDays.get(name) ?? name)

const coins: Readonly<Record<string, string>> = { '€': 'euro', $: 'dollar', '£': 'gbp' }

const readAmounts = (text: string) =>
  text
    .replace(
      /([€$£])\s?(\d{1,20}(?:\.\d{1,20})?)(?![\d.,]*\d)/g,
      (_, coin: string, number: string) => `${number} ${coins[coin] ?? coin}`,
    )
    .replace(/(\d)\s?([€$£])/g, (_, digit: string, coin: string) => `${digit} ${coins[coin] ?? coin}`)
    .replace(/(\d)\s?(?:%|per cent\b)/g, '$1 percent')

/** The forms of each unit after a number; the first one is used. */
const unitForms =
  'millisecond ms millisec millisecs milliseconds, second s sec secs seconds, minute min mins minutes, hour h hr hrs hours, ' +
  'day days, week weeks, month months, year years, time times, kilogram kg kilo kilos kilograms, ' +
  'kilometre km kilometer kilometers kilometres, centimetre cm centimeter centimeters centimetres, ' +
  'millimetre mm millimeter millimeters millimetres, metre meter meters metres, euro eur euros, dollar usd dollars'

const unitNames = new Map(rows(unitForms, ',').flatMap((forms) => forms.map((form) => [form, forms[0] ?? form])))
/** The unit names that `unifyValues` writes. */
export const unifiedUnits: ReadonlySet<string> = new Set(unitNames.values())
const amountOfUnit = new RegExp(
  `(?<![\\w.-])(\\d{1,20}(?:\\.\\d{1,20})?)\\s?(${alternatives([...unitNames.keys()])})(?![\\p{L}\\p{N}_/²³^-])`,
  'giu',
)

const readUnits = (text: string) =>
  text.replace(
    amountOfUnit,
    (_, number: string, unit: string) => `${number} ${unitNames.get(unit.toLowerCase()) ?? unit}`,
  )

const steps = [joinThousands, readMultiples, readTimes, readDates, readAmounts, readUnits]
