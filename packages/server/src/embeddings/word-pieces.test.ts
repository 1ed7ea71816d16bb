import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import { createWordPieces } from './static-model.ts'

const vocabulary = [
  'ab',
  '##cd',
  'cd',
  'abc',
  '##d',
  '##e',
  '.',
  '$',
  '中',
  'ss',
  '##',
  'ᄒ',
  '##ᅡ',
  '##ᆫ',
  'i',
  'σ',
  '##ς',
  '〇x',
]
const wordPieces = createWordPieces(vocabulary)
const cut = (text: string): string[] => {
  const tokens: string[] = []
  wordPieces(text, (row) => tokens.push(vocabulary[row] ?? 'none'))
  return tokens
}

describe('word pieces', () => {
  it('take the longest piece that fits, then the longest continuation', () => {
    expect(cut('ab abc abcd abcde abcdcd')).toEqual([
      'ab',
      'abc',
      'abc',
      '##d',
      'abc',
      '##d',
      '##e',
      'abc',
      '##d',
      '##cd',
    ])
  })

  it('drop a word with an unknown part, and keep its neighbors', () => {
    expect(cut('ab abx cd')).toEqual(['ab', 'cd'])
    // A continuation piece does not start a word.
    expect(cut('e ##e')).toEqual([])
  })

  it('drop a word longer than 100 characters', () => {
    expect(cut(`ab${'cd'.repeat(49)}`)).toHaveLength(50)
    expect(cut(`ab${'cd'.repeat(49)}e`)).toEqual([])
  })

  it('ignore letter case and accents', () => {
    expect(cut('ÀB  a\u0323\u0301b İ ΣΣ 한')).toEqual(['ab', 'ab', 'i', 'σ', '##ς', 'ᄒ', '##ᅡ', '##ᆫ'])
  })

  // Expected values come from the tokenizer that the vocabulary was made for, for every assigned character in its tables.
  it.each([
    [
      'is ignored',
      ['abc', '##d'],
      '\u0000 \u000B \u007F \u0085 \u00AD \u0301 \u0345 \u06DD \u200D \u200F \u2060 \uE000 \uFE0F \uFEFF \uFFFD \u{1D173} \u{E0020} \uD83D \uDE00',
    ],
    ['separates words like white space', ['ab', 'cd'], '\t \n \r \u00A0 \u1680 \u2003 \u2028 \u2029 \u202F \u3000'],
    [
      'is a separate word, although the table has no row for it',
      ['ab', 'cd'],
      '! ` ^ ~ | < = > + § ¿ … — 。 、 「 ״ ؟ ۔ 一 㐀 豈 \u{20000} \u{2CEA1} \u{2F800}',
    ],
    ['is part of its word', [], 'x ß € ¢ ¬ © ° ² ½ × ℃ → ♥ 〇 あ ｱ ﷺ \u0903 \u20DD \u302E \u0378 \u{1D400} 🚢'],
  ])('%s: between letters', (_, expected, characters) => {
    const between = characters.split(/ (?! )/)
    expect(between.map((character) => [character, cut(`ab${character}cd`)])).toEqual(
      between.map((character) => [character, expected]),
    )
  })

  it('treat a symbol or an ideograph as a word, if the table has a row for it', () => {
    expect(cut('ab.cd$中中')).toEqual(['ab', '.', 'cd', '$', '中', '中'])
  })

  // About 30 ms each; sorting marks, as normalizing a whole text does, took 9 and 26 seconds.
  it.each([
    ['marks of one kind', '\u0301'.repeat(100_000)],
    ['alternating marks', '\u0301\u0323'.repeat(50_000)],
    ['marks in the wrong order', '\u0301'.repeat(50_000) + '\u0323'.repeat(50_000)],
    ['spacing marks in the wrong order', '\u302E'.repeat(50_000) + '\u{1D165}'.repeat(25_000)],
    ['marks that are two', '\u0344'.repeat(100_000)],
    ['a prefix that never ends', 'abcdcd'.repeat(17_000)],
    ['words of 100 letters', `${'ab'.repeat(50)} `.repeat(1000)],
    ['syllables of three letters', '한'.repeat(100_000)],
    ['signs', '$'.repeat(100_000)],
    ['white space', ' '.repeat(100_000)],
    ['sigmas with marks', 'Σ\u0301'.repeat(50_000)],
  ])('handles 100,000 of %s at once', (_, hostile) => {
    const usedMs = startProcessorClock()
    cut(`ab${hostile} cd`)
    expect(usedMs()).toBeLessThan(1500)
  })
})
