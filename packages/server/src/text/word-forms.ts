import { rows, sameNouns, sameOthers, sameVerbs } from './same-words.ts'

/** The forms of English words, as far as two texts are compared by them: plurals, pasts, spellings. */

/** Base, past, participle where it differs from the past. */
const irregularVerbs = `
  become became become, begin began begun, break broke broken, bring brought, build built, buy bought,
  catch caught, choose chose chosen, come came come, deal dealt, do did done, draw drew drawn, drink drank drunk,
  drive drove driven, eat ate eaten, fall fell fallen, feel felt, fight fought, find found, fly flew flown,
  forget forgot forgotten, get got gotten, give gave given, go went gone, grow grew grown, hang hung, have had,
  hear heard, hide hid hidden, hold held, keep kept, know knew known, lead led, leave left, lend lent, lose lost,
  make made, mean meant, meet met, pay paid, ride rode ridden, ring rang rung, rise rose risen, say said, see saw seen,
  sell sold, send sent, sing sang sung, sink sank sunk, sit sat, sleep slept, speak spoke spoken, spend spent,
  stand stood, steal stole stolen, swim swam swum, take took taken, teach taught, tell told, think thought,
  throw threw thrown, understand understood, wake woke woken, wear wore worn, win won, write wrote written`

/** Plurals that no rule makes. */
const plurals = 'children child, men man, women woman, mice mouse, feet foot, teeth tooth, wives wife'

const contractions = `
  can't can not, cannot can not, won't will not, shan't shall not, dont do not, doesnt does not, didnt did not, isnt is not,
  arent are not, wasnt was not, werent were not, wont will not, cant can not, couldnt could not, shouldnt should not,
  wouldnt would not, havent have not, hasnt has not, hadnt had not, mustnt must not, let's let us`

interface Inflected {
  base: string
  form: 'past' | 'participle'
}

const inflected = new Map<string, Inflected>()
const participles = new Map<string, string>()
for (const [base = '', past = '', participle = past] of rows(irregularVerbs, ',')) {
  if (participle !== base) inflected.set(participle, { base, form: 'participle' })
  inflected.set(past, { base, form: 'past' })
  participles.set(base, participle)
}

const singulars = new Map(rows(plurals, ',').map(([many = '', one = '']) => [many, one]))

const expansions = new Map(rows(contractions, ',').map(([written = '', ...words]) => [written, words]))

/** The words that a contraction is made of, but for those of "n't", which is taken off any verb. */
export const expandContraction = (word: string): readonly string[] | undefined => expansions.get(word)

/** American for British spelling. What it makes of other words does no harm: no two words become one. */
export const spell = (word: string): string =>
  word
    .replace(/(?<=\p{L}{4})is(?=(?:e[sd]?|ing|ation|ations)$)/u, 'iz')
    .replace(/(?<=l)ys(?=(?:e[sd]?|ing)$)/u, 'yz')
    .replace(/(?<=\p{L}{2})our(?=(?:s|ed|ing|ite|ites|able)?$)/u, 'or')
    .replace(/(?<=^(?:cent|met|lit|theat|fib))re(?=s?$)/u, 'er')
    .replace(/(?<=^(?:trave|cance|labe|mode|leve|signa|fue))ll(?=(?:ed|ing)$)/u, 'l')

/** As far as its form tells: "approved", "rebuilt", "split". */
export const isParticiple = (word: string): boolean =>
  /\p{L}{2}ed$/u.test(word) || inflected.has(word.replace(/^re(?=\p{L}{4})/u, '')) || unchanged.has(word)

const unchanged = new Set('split set cut put shut read reset hit'.split(' '))

const notPlural = new Set('news always series species besides means was this whereas sometimes lens'.split(' '))

export function singular(word: string): string {
  const irregular = singulars.get(word)
  if (irregular !== undefined) return irregular
  if (notPlural.has(word) || word.length <= 3 || !/[^sui]s$/u.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return word.replace(/(?<=sh|ch|x|ss|zz)es$|s$/u, '')
}

/**
 * Equal for the same forms of words that stand for each other: "bought", "purchased". A word that stands for no other is its
 * own key, in each of its forms.
 */
export function keyOf(word: string): string {
  const known = sameOthers.get(word) ?? sameVerbs.get(word) ?? sameNouns.get(word)
  if (known !== undefined || word.length < 3) return known ?? word
  const irregular = inflected.get(word)
  if (irregular !== undefined) return `${sameVerbs.get(irregular.base) ?? irregular.base} ${irregular.form}`
  const one = singular(word)
  const plural = one === word ? undefined : (sameVerbs.get(one) ?? sameNouns.get(one))
  if (plural !== undefined) return `${plural} s`
  for (const [ending, form] of endings) {
    const base = word.endsWith(ending)
      ? basesOf(word.slice(0, -ending.length)).find((each) => sameVerbs.has(each))
      : undefined
    if (base !== undefined) return `${sameVerbs.get(base)} ${form}`
  }
  return word
}

const endings = [
  ['ed', 'past'],
  ['ing', 'ing'],
] as const

/** Of what words like "stopped", "created" and "replied" are forms. */
const basesOf = (stem: string) => [stem, `${stem}e`, stem.replace(/(\p{L})\1$/u, '$1'), stem.replace(/i$/, 'y')]

/** The participle of a verb in the present, as it is written: of "builds" and "build" it is "built". */
export function participleOf(verb: string): string {
  const base = participles.has(verb) ? verb : singular(verb)
  const irregular = participles.get(base)
  if (irregular !== undefined) return irregular
  // "Scrapes" is of "scrape", "scraps" of "scrap".
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base) ? `${base}${base.at(-1)}ed` : `${base}ed`
}
