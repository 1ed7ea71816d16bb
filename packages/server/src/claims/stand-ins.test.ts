import { describe, expect, it } from 'vitest'
import { nouns, rows, verbs } from './vocabulary.ts'
import { standIn } from './stand-ins.ts'
import { writtenWords } from './written-words.ts'

/** What stands for the words of a sentence without articles. */
const standIns = (sentence: string) => {
  const words = writtenWords(sentence, false)
  return words.map((_, at) => standIn(words, at) ?? words[at]?.lower)
}

describe('synonyms', () => {
  it('are in one line each, with at least two words', () => {
    const lines = rows([verbs, nouns].join('\n'))
    const words = lines.flat()
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    expect(lines.filter(({ length }) => length < 2)).toEqual([])
  })

  it('keep the form of the word', () => {
    expect(standIns('We purchased this')).toEqual(['we', 'bought', 'this'])
    expect(standIns('Lin requires this')).toEqual(['lin', 'needs', 'this'])
    expect(standIns('Tests require this')).toEqual(['tests', 'need', 'this'])
    expect(standIns('Kids are here')).toEqual(['children', 'are', 'here'])
  })

  it('do not apply to values, names and commands, and before nouns', () => {
    for (const sentence of [
      'tag is repo',
      'repair the car',
      'purchases table fails',
      'ann met Kid',
      'params folder is empty',
      'lin knows automobile',
    ])
      expect(standIns(sentence)).toEqual(sentence.toLowerCase().split(' '))
  })
})
