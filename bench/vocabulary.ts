import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom, type Random } from './random.ts'

/**
 * Made-up English: the real function words, and about 30,000 others. Three in four of these are words that the built-in
 * model knows; the rest are invented, with English endings. This way tokenizing, stemming and stop words have as much work
 * as with real texts: 1.4 pieces per word, as in five public sets (1.29 to 1.41). Only invented words would give 2.2.
 */
export interface Vocabulary {
  /** Most frequent first. */
  functionWords: readonly string[]
  /** Most frequent first. */
  contentWords: readonly string[]
  names: readonly string[]
}

const functionWords = (
  'the to and of a in I that it is was for you on with we my he she at be have this they had from not are but so ' +
  'as me about what her his there been when or will our an were if just has one would their out which up them no ' +
  'can by him how do then some your more could now after because who only into its over than also before'
).split(' ')

const onsets = 'b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl sp st t th tr v w'.split(' ')
const vowels = 'a e i o u ai ea oa ou'.split(' ')
const codas = ['', 'l', 'm', 'n', 'nd', 'p', 'r', 'rd', 'rn', 's', 'st', 'x']
const endings = ['', '', '', 's', 'ed', 'ing', 'er', 'ly', 'ness', 'ation']

const stemCount = 9_000
const inventedCount = 7_500
const knownCount = 22_500
const nameCount = 400

export function createVocabulary(seed: number): Vocabulary {
  const random = randomFrom(seed)
  const stems = collect(stemCount, () => inventStem(random))
  const invented = collect(inventedCount, () => random.pick(stems) + random.pick(endings))
  // Frequent words are short.
  const contentWords = [...new Set([...invented, ...readKnownWords()])]
    .filter((word) => !functionWords.includes(word))
    .map((word) => ({ word, length: word.length + random.below(8) }))
    .toSorted((a, b) => a.length - b.length)
    .map(({ word }) => word)
  const names = collect(nameCount, () => capitalize(inventStem(random)))
  return { functionWords, contentWords, names }
}

/** Reads the vocabulary at the start of the built-in model; `readStaticModel` documents the format. */
function readKnownWords(): string[] {
  const file = readFileSync(join(import.meta.dirname, '../packages/server/assets/static-256.bin'))
  const vocabulary = file.toString('utf8', 16, 16 + file.readUInt32LE(12)).split('\n')
  return vocabulary.filter((token) => /^[a-z]{3,}$/.test(token)).slice(0, knownCount)
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

export const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
