import { signalWords } from './signal-words.ts'
import { fold } from './tokenize.ts'

/**
 * How likely it is that a text holds something worth remembering, from 0 to 10, and which words said so. Deliberately no
 * model: it runs on every turn, and the one who reads the score can see where it comes from. Linear in the text.
 */
export interface Signals {
  score: number
  /** Keywords of the rules that matched, and custom words as they were given. */
  keywords: string[]
}

export const maxScore = 10

/** A word of the caller's own passes the default threshold by itself. */
const customWeight = 3

interface Rule {
  keyword: string
  weight: number
  patterns: readonly RegExp[]
}

const letter = '[\\p{L}\\p{N}_]'
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const asWords = (texts: readonly string[]) => new RegExp(`(?<!${letter})(?:${texts.join('|')})(?!${letter})`, 'u')

const wordRules: readonly Rule[] = signalWords.map(({ keyword, weight, words: { zh, ja, ...spaced } }) => {
  const listed = (lists: readonly (string | undefined)[]) =>
    lists.flatMap((list) => (list ?? '').split(', ').filter((word) => word !== '')).map((word) => escape(flatten(word)))
  return {
    keyword,
    weight,
    patterns: [asWords(listed(Object.values(spaced))), new RegExp(listed([zh, ja]).join('|'), 'u')],
  }
})

// Each repetition is bounded or begins where a word begins, so that none is tried again from its middle.
const patternRules: readonly Rule[] = [
  {
    keyword: 'never',
    weight: 3,
    // Italian "mai" alone is the month of May in German, French and Portuguese.
    patterns: [/(?<![\p{L}])non \p{L}{1,30} (?:\p{L}{1,30} )?mai(?!\p{L})/u],
  },
  {
    keyword: 'date',
    weight: 1,
    patterns: [
      /(?<!\d)(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?!\d)/u,
      /(?<!\p{L})(?:january|february|march|april|june|july|august|september|october|november|december) \d{1,2}(?!\d)/u,
      /(?<!\d)\d{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|marz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre)(?!\p{L})/u,
      /\d{1,4}年|\d{1,2}月\d{1,2}日/u,
    ],
  },
  {
    keyword: 'code path',
    weight: 1,
    patterns: [
      /(?<![\w./~-])[~.]{0,2}(?:\/[\w.@-]{1,64}){2,12}/u,
      /(?<![\w./-])(?:[\w@-]{1,64}\/){1,12}[\w@-]{1,64}\.[a-z]{1,6}(?!\w)/u,
      /`[^`\n]{2,100}`/u,
    ],
  },
]

/** `customKeywords` are texts, never patterns: they are found as whole words where they begin and end with letters. */
export function findSignals(text: string, customKeywords: readonly string[] = []): Signals {
  const flat = flatten(text)
  const matched = new Map<string, number>()
  for (const { keyword, weight, patterns } of [...wordRules, ...patternRules])
    if (patterns.some((pattern) => pattern.test(flat))) matched.set(keyword, weight)
  for (const keyword of customKeywords) if (holdsWord(flat, flatten(keyword))) matched.set(keyword, customWeight)
  const sum = [...matched.values()].reduce((total, weight) => total + weight, 0)
  return { score: Math.min(sum, maxScore), keywords: [...matched.keys()] }
}

/** One form for both sides: no accents, no case, straight apostrophes. */
function flatten(text: string): string {
  return fold(text).toLowerCase().replace(/[’ʼ]/g, "'")
}

const spacedLetter = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_]'
const beginsWithLetter = new RegExp(`^${spacedLetter}`, 'u')
const endsWithLetter = new RegExp(`${spacedLetter}$`, 'u')

// By the engine, edges and all: looking at the edges of each of many places by ourselves took ten times as long.
function holdsWord(text: string, word: string): boolean {
  const wanted = word.trim()
  if (wanted === '') return false
  const before = beginsWithLetter.test(wanted) ? `(?<!${spacedLetter})` : ''
  const behind = endsWithLetter.test(wanted) ? `(?!${spacedLetter})` : ''
  return new RegExp(`${before}${escape(wanted)}${behind}`, 'u').test(text)
}
