import { rows } from './vocabulary.ts'

/** Forms of English words: plurals, tenses, contractions, spelling. */

/** Base, past, participle where it differs from the past. */
const irregularVerbs = `
  become became become, begin began begun, break broke broken, bring brought, build built, buy bought, catch caught,
  choose chose chosen, do did done, draw drew drawn, drive drove driven, eat ate eaten, find found, give gave given,
  grow grew grown, hold held, keep kept, know knew known, lead led, lose lost, make made, pay paid, run ran run, see saw seen,
  sell sold, send sent, speak spoke spoken, spend spent, steal stole stolen, take took taken, teach taught, tell told,
  wear wore worn, win won, write wrote written`

const contractions = "can't can not, cannot can not, won't will not, shan't shall not, let's let us"

const pasts = new Map<string, string>()
const participles = new Map<string, string>()
const participlesOfPasts = new Map<string, string>()
for (const [base = '', past = '', participle = past] of rows(irregularVerbs, ',')) {
  pasts.set(base, past)
  participles.set(base, participle)
  participlesOfPasts.set(past, participle)
}

const expansions = new Map(rows(contractions, ',').map(([written = '', ...words]) => [written, words]))

/** The words of an irregular contraction. Regular "n't" is handled with the verb. */
export const expandContraction = (word: string): readonly string[] | undefined => expansions.get(word)

export const isNumber = (word: string): boolean => /^\p{N}/u.test(word)

const notPlural = new Set('news always series species besides means was this whereas sometimes lens'.split(' '))
const plurals: ReadonlyMap<string, string> = new Map([
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['mice', 'mouse'],
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['wives', 'wife'],
])

export function singular(word: string): string {
  const irregular = plurals.get(word)
  if (irregular !== undefined) return irregular
  if (notPlural.has(word) || word.length <= 3 || !/[^sui]s$/u.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return word.replace(/(?<=sh|ch|x|ss|zz)es$|s$/u, '')
}

/** "Fixes", "replies", "begins". */
export const withS = (word: string): string =>
  /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}${/(?:sh|ch|x|s|z)$/.test(word) ? 'es' : 's'}`

/** Turns British into American spelling. It may distort other words, but never makes two words equal. */
export const spell = (word: string): string =>
  word
    .replace(/(?<=\p{L}{4})is(?=(?:e[sd]?|ing|ation|ations)$)/u, 'iz')
    .replace(/(?<=\p{L}{2})our(?=(?:s|ed|ing|ite|ites)?$)/u, 'or')
    .replace(/(?<=^(?:cent|met|lit|theat|fib))re(?=s?$)/u, 'er')

const regularPast = (base: string): string => {
  // "Scrape" gives "scraped", "scrap" gives "scrapped".
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base) ? `${base}${base.at(-1)}ed` : `${base}ed`
}

export const pastOf = (base: string): string => pasts.get(base) ?? regularPast(base)

/** The participle of any form of a verb: "built" for "builds", "build" and "built". */
export function participleOf(verb: string, tense: 'present' | 'past'): string {
  if (tense === 'past') return participlesOfPasts.get(verb) ?? (verb.endsWith('ed') ? verb : '')
  const base = participles.has(verb) ? verb : singular(verb)
  return participles.get(base) ?? regularPast(base)
}
