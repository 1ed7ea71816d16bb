import { signalWords } from './signal-words.ts'
import { fold } from './tokenize.ts'

/**
 * How likely a text contains something worth remembering, from 0 to 10, and the words that suggest it. Not a model, because it runs
 * on every turn and readers should see where the score comes from. Takes linear time.
 */
export interface Signals {
  score: number
  /** What matched, one for each rule, in lower case; custom keywords as given. */
  keywords: string[]
}

const maxScore = 10

/** A custom keyword reaches the default threshold on its own. */
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

// Each repetition is bounded or starts at a word boundary, so matching stays linear.
const patternRules: readonly Rule[] = [
  {
    keyword: 'never',
    weight: 3,
    // Italian "mai" alone is the month of May in German, French and Portuguese.
    patterns: [/(?<![\p{L}])non \p{L}{1,30} (?:\p{L}{1,30} )?mai(?!\p{L})/u],
  },
  {
    keyword: 'correction',
    weight: 3,
    patterns: [
      // "No, the port is 8443", "it is 8443, not 8080", "don't use npm; use pnpm", "use pnpm, not npm".
      /(?<=^|[.!?\n] ?)(?:(?:no|nope|wrong)[,.:;!]|actually,?) (?!that|this|it|there|i |we |you |they |thanks|problem|worries)\p{L}[^,.\n]{1,60} (?:is|are|was|were|has|have|uses?|runs?|lives?|listens|starts?|ends?|costs|belongs?|means?|should be|needs?|requires?)(?!\p{L})/u,
      /(?<!\p{L})(?:(?:is|are|was|were|uses?|runs? on|listens on|starts? at|costs) |it's )[^,.\n]{1,60}, not (?!just|only|yet|really|so |that|to |because)[\p{L}\p{N}@][\p{L}\p{N}@/-]{0,40}/u,
      /(?<!\p{L})(?:do not|don't) use [^,;.\n]{1,60}[,;.] (?:but |please )?use [\p{L}\p{N}@][\p{L}\p{N}@/-]{0,40}/u,
      /(?<!\p{L})use [^,;.\n]{1,60}(?:, not| instead of|,? rather than) [\p{L}\p{N}@][\p{L}\p{N}@/-]{0,40}/u,
    ],
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

/** `customKeywords` are literal texts, never patterns. Where they begin or end with a letter, they match at word boundaries. */
export function findSignals(text: string, customKeywords: readonly string[] = []): Signals {
  const flat = flatten(text)
  const weights = new Map<string, number>()
  const keywords = new Set<string>()
  for (const { keyword, weight, patterns } of [...wordRules, ...patternRules]) {
    const match = firstOf(patterns, flat)
    if (match === undefined || weights.has(keyword)) continue
    weights.set(keyword, weight)
    keywords.add(asWritten(text, flat, match))
  }
  for (const keyword of customKeywords)
    if (holdsWord(flat, flatten(keyword))) {
      weights.set(keyword, customWeight)
      keywords.add(keyword)
    }
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0)
  return { score: Math.min(sum, maxScore), keywords: [...keywords] }
}

function firstOf(patterns: readonly RegExp[], flat: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(flat)
    if (match !== null) return match
  }
  return undefined
}

/** The match with its accents, unless removing accents has shifted the text. */
function asWritten(text: string, flat: string, { index, 0: matched }: RegExpExecArray): string {
  return flat.length === text.length ? text.slice(index, index + matched.length).toLowerCase() : matched
}

/** The form in which text and keywords are compared: no accents, lower case, straight apostrophes. */
function flatten(text: string): string {
  return fold(text).toLowerCase().replace(/[’ʼ]/g, "'")
}

const spacedLetter = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_]'
const beginsWithLetter = new RegExp(`^${spacedLetter}`, 'u')
const endsWithLetter = new RegExp(`${spacedLetter}$`, 'u')

// One pattern with the word boundaries: checking boundaries in our own loop took ten times as long.
function holdsWord(text: string, word: string): boolean {
  const wanted = word.trim()
  if (wanted === '') return false
  const before = beginsWithLetter.test(wanted) ? `(?<!${spacedLetter})` : ''
  const behind = endsWithLetter.test(wanted) ? `(?!${spacedLetter})` : ''
  return new RegExp(`${before}${escape(wanted)}${behind}`, 'u').test(text)
}
