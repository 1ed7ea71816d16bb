import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxSnippetLength, snippetOf } from './snippet.ts'

const filler = (words: number) => Array.from({ length: words }, (_, i) => `filler${i}`).join(' ')

describe('snippetOf', () => {
  it('gives a short text whole, on one line and without markup', () => {
    expect(snippetOf('# Boats\n\nThe **anchor** is\n- heavy', 'anchors')).toBe('Boats The anchor is heavy')
  })

  it('begins a little before the place where most words stand together', () => {
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

  it('shows the place of each match in a long run of a script without spaces, not that of the first', () => {
    const text = `${'あ'.repeat(300)}東京${'い'.repeat(300)}${'う'.repeat(300)}大阪と東京${'え'.repeat(300)}`
    expect(snippetOf(text, '東京 大阪')).toContain('大阪と東京')
  })

  it('gives nothing where no word of the question stands', () => {
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

  it('takes a hostile text of 500,000 characters in its stride', () => {
    for (const piece of ['word ', '[[', 'word', '漢', '<!--', "a'"]) {
      const start = performance.now()
      snippetOf(piece.repeat(500_000 / piece.length), 'word 漢漢')
      expect(performance.now() - start).toBeLessThan(1000)
    }
    const others = Array.from({ length: 50_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)))
    for (const [end, query] of [
      ['的'.repeat(50_000), '的的'],
      // Half-width, so that the words found are not the characters that stand there.
      ['ﾃ'.repeat(50_000), 'テテ'],
    ] as const) {
      const start = performance.now()
      snippetOf(others.join('').replaceAll('的', '') + end, query)
      expect(performance.now() - start).toBeLessThan(1000)
    }
  })
})
