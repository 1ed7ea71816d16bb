import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import { atOnce } from '../core/in-pieces.ts'
import { chunking, chunkText, maxChunkWords } from './split-text.ts'

const wordsOf = (text: string): string[] => text.match(/\S+/g) ?? []
const sentence = (words: number, mark: string): string => `${`${mark} `.repeat(words - 1)}${mark}.`

describe('chunkText', () => {
  it('keeps a short text in one piece and returns nothing for a blank one', () => {
    expect(chunkText(' a few words\n')).toEqual([' a few words\n'])
    expect(chunkText(' \n ')).toEqual([])
  })

  it('takes time proportional to the text, also without sentence ends', () => {
    for (const piece of ['a\n', 'a ', '字', '. ']) {
      const usedMs = startProcessorClock()
      expect(chunkText(piece.repeat(500_000 / piece.length)).length).toBeGreaterThan(400)
      expect(usedMs()).toBeLessThan(2000)
    }
  })

  it('cuts at a heading rather than in the middle of a section', () => {
    const text = `${sentence(100, 'one')}\n\n# Second\n${sentence(100, 'two')}`
    const [first = '', second = ''] = chunkText(text)
    expect(first).not.toContain('two')
    expect(second.startsWith('# Second')).toBe(true)
  })

  it('repeats the last sentence of a chunk that is cut within a paragraph', () => {
    const text = Array.from({ length: 20 }, (_, i) => sentence(20, `w${i}`)).join(' ')
    const chunks = chunkText(text)
    expect(chunks.length).toBeGreaterThan(2)
    for (const [i, chunk] of chunks.slice(1).entries()) {
      expect(wordsOf(chunk)).toContain(wordsOf(chunks[i] ?? '').at(-1))
    }
  })

  it('cuts the first chunks of a text like the whole text', () => {
    const part = fc.oneof(
      fc.lorem({ maxCount: 60 }),
      fc.constantFrom('a ', '. ', '\n\n', '\n# Part\n', '字。'.repeat(200), ' '.repeat(2_000)),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), fc.integer({ min: 1, max: 12 }), (parts, count) => {
        const text = parts.join(' ').repeat(3)
        expect(atOnce(chunking(text, count))).toEqual(chunkText(text).slice(0, count))
      }),
    )
  })

  it('loses no word and creates no chunk that is too long, whatever the text', () => {
    const part = fc.oneof(
      fc.lorem({ maxCount: 40 }),
      fc.constantFrom('\n\n', '\n# ', '. ', '字'.repeat(3000), 'x'.repeat(5000)),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join(' ')
        const chunks = chunkText(text)
        for (const chunk of chunks) expect(wordsOf(chunk).length).toBeLessThanOrEqual(maxChunkWords)
        const found = chunks.join('').replace(/\s/g, '')
        for (const word of wordsOf(text).filter((candidate) => candidate.length < 1000)) expect(found).toContain(word)
      }),
      { numRuns: 60 },
    )
  })

  it('never splits a surrogate pair', () => {
    const chunks = chunkText(`a${'😀'.repeat(3000)}`)
    expect(chunks.join('').isWellFormed() && chunks.every((chunk) => chunk.isWellFormed())).toBe(true)
  })
})
