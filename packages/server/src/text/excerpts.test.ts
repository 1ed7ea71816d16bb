import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import {
  previewOf,
  previewOfNote,
  withoutMarks,
  maxSnippetLength,
  snippetOf,
  snippetBelowHeadings,
} from './excerpts.ts'
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

  it('never splits a surrogate pair', () => {
    for (const text of ['a' + '𝄞'.repeat(300), '𝄞'.repeat(300), '𝄞'.repeat(100), 'a' + '𝄞'.repeat(2500)])
      expect(previewOf(text).isWellFormed()).toBe(true)
  })

  it.each(['<!--', '![', '[a](', '<b', '- ', '> ', '---\n', '`', '*_', '|', ' |', '[[a|', '```\n'])(
    'of a text full of %j is fast',
    (part) => {
      expect(processorMs(() => previewOf(part.repeat(200_000)))).toBeLessThan(200)
    },
  )
})

describe('a preview of a note', () => {
  it.each([
    ['# Weekly\n\n- Payments: at **half**\n\n## Next\n\nRefunds', 'Payments: at half Refunds'],
    [
      '180 emails:\n\n| Topic | Emails |\n|---|---|\n| Refunds | 40 |\n\nMost ask twice.',
      '180 emails: Most ask twice.',
    ],
    ['---\ntitle: x\n---\n# Head\nbody', 'body'],
    ['#tag first', '#tag first'],
    ['# Only\n## Headings', 'Only Headings'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['', ''],
  ])('of %j is %j', (text, preview) => {
    expect(previewOfNote(text)).toBe(preview)
  })

  it.each(['# ', '#', '|', ' |', '| a\n', '# a\n', ' \t'])('of a text full of %j is fast', (part) => {
    expect(processorMs(() => previewOfNote(part.repeat(200_000)))).toBeLessThan(200)
  })
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

  it.each(parts)('is removed from a long text full of %j in linear time', (part) => {
    const usedMs = startProcessorClock()
    withoutMarks(`a${part.repeat(100_000 / part.length)}x`)
    expect(usedMs()).toBeLessThan(1000)
  })
})

const filler = (words: number) => Array.from({ length: words }, (_, i) => `filler${i}`).join(' ')

describe('snippetOf', () => {
  it('returns a short text in full, on one line and without markup', () => {
    expect(snippetOf('# Boats\n\nThe **anchor** is\n- heavy', 'anchors')).toBe('Boats The anchor is heavy')
  })

  it('begins a little before the place with the most words close together', () => {
    const text = `An anchor. ${filler(60)} a rusty anchor of a sailing boat ${filler(60)}`
    const snippet = snippetOf(text, 'anchors of rusty boats') ?? ''
    expect(snippet).toMatch(/^…filler5\d .*a rusty anchor of a sailing boat .*…$/)
    expect(snippet.length).toBeLessThanOrEqual(maxSnippetLength)
  })

  it('finds other forms of a word, words in paths, and pairs of characters', () => {
    expect(snippetOf(`${filler(60)} he was running`, 'runs')).toMatch(/he was running$/)
    expect(snippetOf(`${filler(60)} see src/anchor.ts`, 'anchor')).toMatch(/src\/anchor\.ts$/)
    expect(snippetOf(`${'あ'.repeat(300)}東京都${'い'.repeat(300)}`, '東京')).toContain('東京都')
  })

  it('locates each match in a long run of a script without spaces, not only the first', () => {
    const text = `${'あ'.repeat(300)}東京${'い'.repeat(300)}${'う'.repeat(300)}大阪と東京${'え'.repeat(300)}`
    expect(snippetOf(text, '東京 大阪')).toContain('大阪と東京')
  })

  it('leaves out headings on request', () => {
    const text = '# Which payment provider\n\n| Bo | payments |\n|---|---|\n\nAsk him.'
    expect(snippetBelowHeadings(text, 'payment')).toBe('Bo payments Ask him.')
    expect(snippetBelowHeadings('# Which payment provider\n\nFjordpay', 'payment')).toBeUndefined()
  })

  it('is undefined without any word of the question', () => {
    expect(snippetOf('a boat', 'train')).toBeUndefined()
    expect(snippetOf('', 'train')).toBeUndefined()
    expect(snippetOf('a boat', '?!')).toBeUndefined()
  })

  it('is well formed and no longer than 200 characters, whatever the text is', () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', 'word', '😀', '漢字', '\n')), {
      maxLength: 200,
    })
    fc.assert(
      fc.property(text, fc.constantFrom('word', '漢字', '😀 word'), (parts, query) => {
        const snippet = snippetOf(parts.join('').toWellFormed(), query) ?? ''
        expect(snippet.length).toBeLessThanOrEqual(maxSnippetLength)
        expect(snippet.isWellFormed()).toBe(true)
      }),
    )
  })

  it('handles a hostile text of 500,000 characters quickly', () => {
    for (const piece of ['word ', '[[', 'word', '漢', '<!--', "a'"]) {
      const usedMs = startProcessorClock()
      snippetOf(piece.repeat(500_000 / piece.length), 'word 漢漢')
      expect(usedMs()).toBeLessThan(1000)
    }
    const others = Array.from({ length: 50_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)))
    for (const [end, query] of [
      ['的'.repeat(50_000), '的的'],
      // Half-width, so the words found differ from the characters in the text.
      ['ﾃ'.repeat(50_000), 'テテ'],
    ] as const) {
      const usedMs = startProcessorClock()
      snippetOf(others.join('').replaceAll('的', '') + end, query)
      expect(usedMs()).toBeLessThan(1000)
    }
  })
})
