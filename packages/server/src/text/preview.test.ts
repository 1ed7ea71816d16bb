import { describe, expect, it } from 'vitest'
import { countWords } from './count-words.ts'
import { findOccurrences } from './occurrences.ts'
import { previewOf, withoutMarks } from './preview.ts'
import { processorMs } from '../../test/processor-time.ts'

describe('a preview', () => {
  it.each([
    ['plain text', 'plain text'],
    ['# Head\n\nSome **bold** and _soft_ `code` ~~gone~~.', 'Head Some bold and soft code gone.'],
    ['- [ ] one\n- [x] two\n1. three\n* four', 'one two three four'],
    ['> quoted\n> > twice', 'quoted twice'],
    [
      '![image](a.png) [text](https://example.org/x) [[Note]] [[Note#Part|shown]] [[Note#Part]]',
      'image text Note shown Note',
    ],
    ['```js\nlet a = 1\n```\nafter', 'let a = 1 after'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['---\ntitle: x\n---\nbody', 'body'],
    ['<!-- hidden -->seen<br> <b>bold</b>', 'seen bold'],
    ['snake_case 2 * 3 a*b', 'snake_case 2 * 3 a*b'],
    ['', ''],
    ['\n---\n', ''],
  ])('of %j is %j', (text, preview) => {
    expect(previewOf(text)).toBe(preview)
  })

  it('ends at a word, with a mark, and has at most 200 characters', () => {
    const preview = previewOf('word '.repeat(100))
    expect(preview).toMatch(/^(word )+word…$/)
    expect(preview.length).toBeLessThanOrEqual(200)
    expect(previewOf('x'.repeat(300))).toBe(`${'x'.repeat(199)}…`)
    expect(previewOf('x'.repeat(200))).toBe('x'.repeat(200))
    expect(previewOf('#'.repeat(5000)).length).toBeLessThanOrEqual(200)
  })

  it('never parts a surrogate pair', () => {
    for (const text of ['a' + '𝄞'.repeat(300), '𝄞'.repeat(300), '𝄞'.repeat(100), 'a' + '𝄞'.repeat(2500)])
      expect(previewOf(text).isWellFormed()).toBe(true)
  })

  it.each(['<!--', '![', '[a](', '<b', '- ', '> ', '---\n', '`', '*_', '|', ' |', '[[a|', '```\n'])(
    'of a text full of %j takes no time',
    (part) => {
      expect(processorMs(() => previewOf(part.repeat(200_000)))).toBeLessThan(200)
    },
  )
})

describe('markup', () => {
  const parts = [
    '<!--',
    '![',
    '[a](',
    '<b',
    '- ',
    '> ',
    '---\n',
    '`',
    '` ',
    '*_',
    '|',
    ' |',
    '[[a|',
    '```\n',
    ' ',
    '\t',
    ' \n',
  ]

  it.each(parts)('is taken off a long text full of %j in linear time', (part) => {
    const start = performance.now()
    withoutMarks(`a${part.repeat(100_000 / part.length)}x`)
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('words are counted', () => {
  it.each([
    ['', 0],
    ['--- ** ---', 0],
    ["Don't count well-known snake_case twice.", 5],
    ['日本語 text', 4],
    ['3.5 Äpfel', 3],
    ['한국어 단어', 2],
  ])('in %j', (text, words) => {
    expect(countWords(text)).toBe(words)
  })

  it('in linear time', () => {
    const start = performance.now()
    for (const part of ['-', "'", 'a-', '日', 'a ']) countWords(part.repeat(250_000))
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('occurrences', () => {
  it.each([
    ['abcabc', 'bc', [1, 4]],
    ['aaaa', 'aa', [0, 1, 2]],
    ['abc', 'x', []],
    ['abc', 'abcd', []],
    ['abc', 'abc', [0]],
    ['abc', '', []],
    ['abababc', 'ababc', [2]],
  ])('in %j of %j', (text, part, places) => {
    expect(findOccurrences(text, part)).toEqual(places)
  })

  it('are found in linear time where the plain search is not', () => {
    const start = performance.now()
    expect(findOccurrences('a'.repeat(500_000), `b${'a'.repeat(100_000)}`)).toEqual([])
    expect(findOccurrences('a'.repeat(500_000), `${'a'.repeat(100_000)}b`)).toEqual([])
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
