import { describe, expect, it } from 'vitest'
import { nouns, rows, verbs } from './vocabulary.ts'
import { findCanonicalSynonym } from './synonyms.ts'
import { writtenWords } from './written-words.ts'

/** The canonical words of a sentence without articles. */
const withSynonyms = (sentence: string) => {
  const words = writtenWords(sentence, false)
  return words.map((_, at) => findCanonicalSynonym(words, at) ?? words[at]?.lower)
}

describe('synonyms', () => {
  it('are on one line each, with at least two words', () => {
    const lines = rows([verbs, nouns].join('\n'))
    const words = lines.flat()
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    expect(lines.filter(({ length }) => length < 2)).toEqual([])
  })

  it('keep the form of the word', () => {
    expect(withSynonyms('We purchased this')).toEqual(['we', 'bought', 'this'])
    expect(withSynonyms('Lin requires this')).toEqual(['lin', 'needs', 'this'])
    expect(withSynonyms('Tests require this')).toEqual(['tests', 'need', 'this'])
    expect(withSynonyms('Kids are here')).toEqual(['children', 'are', 'here'])
  })

  it('do not apply to values, names and commands, nor before nouns', () => {
    for (const sentence of [
      'tag is repo',
      'repair the car',
      'purchases table fails',
      'ann met Kid',
      'params folder is empty',
      'lin knows automobile',
    ])
      expect(withSynonyms(sentence)).toEqual(sentence.toLowerCase().split(' '))
  })
})
