import { randomFrom, type Random } from './random.ts'

/**
 * Made-up English: the real little words that hold sentences together, and about 30,000 forms of invented words with
 * English endings, so that tokenising, stemming and stop words have as much to do as with real texts.
 */
export interface Vocabulary {
  /** Most used first. */
  littleWords: readonly string[]
  /** Most used first. */
  contentWords: readonly string[]
  names: readonly string[]
}

const littleWords = (
  'the to and of a in I that it is was for you on with we my he she at be have this they had from not are but so ' +
  'as me about what her his there been when or will our an were if just has one would their out which up them no ' +
  'can by him how do then some your more could now after because who only into its over than also before'
).split(' ')

const onsets = 'b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl sp st t th tr v w'.split(' ')
const vowels = 'a e i o u ai ea oa ou'.split(' ')
const codas = ['', 'l', 'm', 'n', 'nd', 'p', 'r', 'rd', 'rn', 's', 'st', 'x']
const endings = ['', '', '', 's', 'ed', 'ing', 'er', 'ly', 'ness', 'ation']

const stemCount = 9_000
const formCount = 30_000
const nameCount = 400

export function createVocabulary(seed: number): Vocabulary {
  const random = randomFrom(seed)
  const stems = collect(stemCount, () => inventStem(random))
  // Words that are used often are short.
  const contentWords = collect(formCount, () => random.pick(stems) + random.pick(endings))
    .filter((word) => !littleWords.includes(word))
    .map((word) => ({ word, length: word.length + random.below(8) }))
    .toSorted((a, b) => a.length - b.length)
    .map(({ word }) => word)
  const names = collect(nameCount, () => capitalise(inventStem(random)))
  return { littleWords, contentWords, names }
}

function collect(count: number, invent: () => string): string[] {
  const found = new Set<string>()
  while (found.size < count) found.add(invent())
  return [...found]
}

function inventStem(random: Random): string {
  const syllables = 1 + random.below(3)
  const open = Array.from({ length: syllables }, () => random.pick(onsets) + random.pick(vowels))
  return open.join('') + random.pick(codas)
}

export const capitalise = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
