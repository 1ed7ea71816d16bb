import { monthNumber, monthPattern } from './calendar.ts'

/**
 * Numbers, amounts, dates and times brought to one way of writing: "five seconds", "5 s"; "3 March 2027", "2027-03-03";
 * "5 pm", "17:00". Only what is certain: "11/12/2026", "1.200" and "5 m" stay as they are. Each step passes over the text once.
 */
export function unifyValues(text: string): string {
  const counted = readDays(readNumberWords(rewrite(rewrite(text, wordings), wordedAmounts)))
  return /\d/.test(counted) ? steps.reduce((value, step) => step(value), counted) : counted
}

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

type Rewriting = readonly (readonly [written: RegExp, read: string])[]

const rewrite = (text: string, rewritings: Rewriting) =>
  rewritings.reduce((value, [written, read]) => value.replace(written, read), text)

/** "Nobody but Ann" and words that lead to a claim. */
const wordings: Rewriting = [
  [/\b(?:nobody|no one) (?:but|except(?: for)?) /gi, 'only '],
  [
    /^(?:according to what (?:he|she|they) (?:told|said|wrote)[^,.:]{0,40}|from our (?:conversation|chat|call|talk)[^,.:]{0,40}|if you (?:ever )?need (?:it|this|to know)|in case (?:it matters|you wonder|anyone asks|you need it))[,:] /i,
    '',
  ],
]

/** Amounts without a number; "the first half of May" is no share. */
const wordedAmounts: Rewriting = [
  [/(?<=^|[.;] )half of\b/gi, '50% of'],
  [/\ba dozen\b(?! of)/gi, '12'],
  [/\bhalf an hour\b/gi, '30 minutes'],
  [/\ba (?=(?:hundred|thousand|million|billion)\b)/gi, 'one '],
  [/\btwice\b/gi, 'two times'],
  [
    /\b(?:each|every) (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?! (?:morning|afternoon|evening|night)))(\w+)/gi,
    'on $1s',
  ],
  [/\bonce (?=an? |per |every |each )/gi, 'one time '],
  [/\b(?:the )?(?:first|1st) quarter\b/gi, 'Q1'],
  [/\b(?:the )?(?:second|2nd) quarter\b/gi, 'Q2'],
  [/\b(?:the )?(?:third|3rd) quarter\b/gi, 'Q3'],
  [/\b(?:the )?(?:fourth|4th) quarter\b/gi, 'Q4'],
  [/\bnoon\b/gi, '12 pm'],
  // "Jump host = juniper", as notes have it.
  [/(?<=\p{L}{3}) = (?=\p{L}{3,40}$)/gu, ': '],
]

/** Bounds, rates and ranges around a number. */
const bounds: Rewriting = [
  [/\b(?:of )?(?:(?:longer|larger|bigger|greater|higher|more) than|above|exceeding) (?=[€$£]?\d)/gi, 'more than '],
  [/\b(?:of )?(?:(?:shorter|smaller|lower|fewer|less) than|under|below) (?=[€$£]?\d)/gi, 'less than '],
  [/\b(?:no|not) less than (?=[€$£]?\d)|\b(?:a )?minimum of (?=[€$£]?\d)/gi, 'at least '],
  [/\b(?:no|not) more than (?=[€$£]?\d)|\b(?:(?:a )?maximum of|up to) (?=[€$£]?\d)/gi, 'at most '],
  [/(?<![\d.,])(\d{1,12}(?: [\p{L}%]{1,12})?) or (?:more|above)(?! \p{L}+ than)\b/giu, 'at least $1'],
  [/(?<![\d.,])(\d{1,12}(?: [\p{L}%]{1,12})?) or (?:less|fewer)(?! \p{L}+ than)\b/giu, 'at most $1'],
  [/(\d(?: \p{L}{1,12})?) ?(?:\/|\b(?:an?|per) )(second|minute|hour|day|week|month|year)\b/giu, '$1 per $2'],
  [/\b(?:about|approx(?:\.|\b)|approximately|around|roughly|circa) (?=[€$£]?\d)/gi, 'about '],
  [/\b(\d{1,6}) pounds per\b/gi, '£$1 per'],
  [/(\d times) (?:daily|(?:each|every) day)\b/gi, '$1 per day'],
  [/\b(?:from|between) (\d[\d.:,]{0,12}) (?:to|and|until) (?=\d)/gi, '$1 to '],
  [/(?<=\d)–(?=\d)/g, ' to '],
  [/(?<![\w.-])(\d{1,6})-(?=(?:second|minute|hour|day|week|month|year|metre|meter|page|line|character)\b)/gi, '$1 '],
  [/(\d) ?(?:° ?C\b|degrees (?:C|celsius)\b)/gi, '$1 celsius'],
  [/(\d) ?(?:° ?F\b|degrees (?:F|fahrenheit)\b)/gi, '$1 fahrenheit'],
  [/(\d) (?:o'clock )?in the morning\b/gi, '$1 am'],
  [/(\d) (?:o'clock )?in the (?:afternoon|evening)\b/gi, '$1 pm'],
  [/(?<=[ap]\.?m\.?) in the (?:morning|afternoon|evening)\b/gi, ''],
]

/** "$12k"; a capital stands for kelvin too. */
const readThousands = (text: string) => text.replace(/(?<![\w.,/-])(\d{1,9})k(?![\w/²-])/g, '$1000')

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
/** Those that are left once dates are read. */
const readOrdinals = (text: string) =>
  text.replace(
    /(?<![\w.,/-])([1-9]|10)(?:st|nd|rd|th)\b/g,
    (_, number: string) => ordinals[Number(number) - 1] ?? number,
  )

const joinThousands = (text: string) =>
  text.replace(/(?<![\d.,])\d{1,3}(?:,\d{3}){1,5}(?![\d,]|\.\d)/g, (number) => number.replaceAll(',', ''))

const zeros: Readonly<Record<string, number>> = { hundred: 2, thousand: 3, million: 6, billion: 9 }

const readMultiples = (text: string) =>
  text.replace(
    /(?<![\d.,])(\d{1,3}) (hundred|thousand|million|billion)\b/gi,
    (_, number: string, name: string) => `${number}${'0'.repeat(zeros[name.toLowerCase()] ?? 0)}`,
  )

/** The clock of 24 hours; "9:00" gets its zero. */
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
  const number = monthNumber(name) + 1
  if (Number(dayOfMonth) < 1 || Number(dayOfMonth) > 31) return written
  return `${yearNumber}-${String(number).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
}

const readDates = (text: string) =>
  text
    .replace(dayFirst, (written, dayOfMonth: string, name: string, yearNumber?: string) =>
      asDate(written, dayOfMonth, name, yearNumber),
    )
    .replace(monthFirst, (written, name: string, dayOfMonth: string, yearNumber?: string) =>
      asDate(written, dayOfMonth, name, yearNumber),
    )

const shortDays: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
}

/** "Sat" and "Sun" are words. */
const readDays = (text: string) => text.replace(/\b(?:Mon|Tue|Wed|Thu|Fri)\b/g, (name) => shortDays[name] ?? name)

const coins: Readonly<Record<string, string>> = { '€': 'euro', $: 'dollar', '£': 'gbp' }

const readAmounts = (text: string) =>
  text
    .replace(
      /([€$£])\s?(\d{1,20}(?:\.\d{1,20})?)(?![\d.,]*\d)/g,
      (_, coin: string, number: string) => `${number} ${coins[coin] ?? coin}`,
    )
    .replace(/(\d)\s?([€$£])/g, (_, digit: string, coin: string) => `${digit} ${coins[coin] ?? coin}`)
    .replace(/(\d)\s?(?:%|per cent\b)/g, '$1 percent')

/** A unit's forms as they follow a number, its name first. */
const unitForms = `
  millisecond ms millisec millisecs milliseconds
  second s sec secs seconds
  minute min mins minutes
  hour h hr hrs hours
  day days
  week weeks
  month months
  year years
  time times
  kilogram kg kilo kilos kilograms
  kilometre km kilometer kilometers kilometres
  centimetre cm centimeter centimeters centimetres
  millimetre mm millimeter millimeters millimetres
  metre meter meters metres
  euro eur euros
  dollar usd dollars`

const unitNames = new Map(
  unitForms
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([name = '', ...forms]) => [name, ...forms].map((form) => [form, name])),
)
/** The units that are left once all are written in one way. */
export const unifiedUnits: ReadonlySet<string> = new Set(unitNames.values())
const amountOfUnit = new RegExp(
  `(?<![\\w.-])(\\d{1,20}(?:\\.\\d{1,20})?)\\s?(${alternatives([...unitNames.keys()])})(?![\\p{L}\\p{N}_/²³^-])`,
  'giu',
)

/** The letter case tells bytes from bits. */
const bytes: readonly [RegExp, string][] = ['kilo', 'mega', 'giga', 'tera'].map((name) => [
  new RegExp(`(\\d)\\s?(?:[${name[0]}${name[0]?.toUpperCase()}]B(?![\\w/])|${name}bytes?\\b)`, 'g'),
  `${name}byte`,
])

const readUnits = (text: string) =>
  bytes.reduce(
    (value, [written, name]) => value.replace(written, `$1 ${name}`),
    text.replace(
      amountOfUnit,
      (_, number: string, unit: string) => `${number} ${unitNames.get(unit.toLowerCase()) ?? unit}`,
    ),
  )

const steps = [
  joinThousands,
  readMultiples,
  readThousands,
  (text: string) => rewrite(text, bounds),
  readTimes,
  readDates,
  readOrdinals,
  // Whoever was born on a day without a year has a birthday then.
  (text: string) => text.replace(/ (?<=\p{Lu}\p{Ll}{1,30} )was born on (?=-\d\d-\d\d)/gu, "'s birthday is on "),
  readAmounts,
  readUnits,
]
