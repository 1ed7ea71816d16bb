import { isNegation } from './negations.ts'
import { rows, standIn } from './same-words.ts'

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
for (const [base = '', past = '', participle] of rows(irregularVerbs, ',')) {
  if (participle !== undefined && participle !== base) inflected.set(participle, { base, form: 'participle' })
  inflected.set(past, { base, form: 'past' })
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

/** Days keep their plural: what is on Mondays is not on Monday alone. */
const days = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days$/
const shortDays: Readonly<Record<string, string>> = {
  mon: 'monday',
  tue: 'tuesday',
  tues: 'tuesday',
  wed: 'wednesday',
  thu: 'thursday',
  thurs: 'thursday',
  fri: 'friday',
}

type Inflection = [base: string, form: string | undefined]

export function inflectionOf(word: string): Inflection {
  const whole = standIn(word)
  if (whole !== undefined) return [whole, undefined]
  if (isNegation(word) || days.test(word)) return [word, undefined]
  const irregular = inflected.get(word)
  if (irregular !== undefined) return [standIn(irregular.base) ?? irregular.base, irregular.form]
  for (const [ending, form] of [
    ['ed', 'past'],
    ['ing', 'ing'],
  ] as const) {
    const base = word.endsWith(ending) ? basesOf(word, ending).find((each) => standIn(each) !== undefined) : undefined
    if (base !== undefined) return [standIn(base) ?? base, form]
  }
  const one = singular(word)
  return [standIn(one) ?? shortDays[one] ?? one, undefined]
}

const notPlural = new Set('news always series species besides means was this whereas sometimes lens'.split(' '))

export function singular(word: string): string {
  if (word === 'does' || word === 'has') return word === 'does' ? 'do' : 'have'
  const irregular = singulars.get(word)
  if (irregular !== undefined) return irregular
  if (notPlural.has(word) || word.length <= 3 || !/[^sui]s$/u.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return word.replace(/(?<=sh|ch|x|ss|zz)es$|s$/u, '')
}

/** Of what words like "stopped", "validated" and "tried" are the past. */
export function basesOf(word: string, ending = 'ed'): string[] {
  const stem = word.slice(0, -ending.length)
  if (stem.length < 2) return []
  return [
    stem,
    `${stem}e`,
    ...(/(\p{L})\1$/u.test(stem) ? [stem.slice(0, -1)] : []),
    ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
  ]
}
