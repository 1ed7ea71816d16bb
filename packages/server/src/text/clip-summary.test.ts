import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import { clipSummary, clipText } from './clip-summary.ts'

describe('clipSummary', () => {
  it('keeps a text unchanged that is short enough', () => {
    expect(clipSummary('  The cat sleeps.  ')).toBe('The cat sleeps.')
    expect(clipSummary('x'.repeat(200))).toBe('x'.repeat(200))
  })

  it('ends at the last sentence that fits', () => {
    const first = 'The cat sleeps on the server. '.repeat(5).trim()
    expect(clipSummary(`${first} ${'And then it goes on and on without an end '.repeat(20)}`)).toBe(first)
    expect(clipSummary('猫はサーバーの上で寝ています。'.repeat(20))).toBe('猫はサーバーの上で寝ています。'.repeat(13))
  })

  it('ends at a word, with a mark, if no sentence ends early enough', () => {
    expect(clipSummary('alpha beta gamma '.repeat(50))).toMatch(
      /^(alpha beta gamma )+alpha beta gamma… ?$|(alpha|beta|gamma)…$/,
    )
    expect(clipSummary(`Hi. ${'word '.repeat(100)}`).length).toBeGreaterThan(190)
  })

  it('keeps two items of a list rather than half of the third', () => {
    const lines = [
      '- first point of the plan '.repeat(3),
      '- second point of the plan '.repeat(3),
      '- third '.repeat(30),
    ]
    expect(clipSummary(lines.join('\n'))).toBe(lines.slice(0, 2).join('\n').trim())
  })

  it('is never longer than requested, never splits a character, and is a beginning of the text', () => {
    const unit = fc.constantFrom('👩‍👩‍👧‍👦', '漢', 'é', 'e\u0301', 'a', ' ', '. ', '\n', '𝄞', '🇩🇪')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 600 }), fc.integer({ min: 20, max: 300 }), (text, max) => {
        const clipped = clipSummary(text, max)
        expect(clipped.length).toBeLessThanOrEqual(max)
        expect(clipped.isWellFormed()).toBe(true)
        expect(text.trim().startsWith(clipped.replace(/…$/, ''))).toBe(true)
        expect(clipText(text, max).length).toBeLessThanOrEqual(max)
      }),
    )
  })

  it('takes no longer for a long text than for a short one', () => {
    const text = 'word '.repeat(20_000)
    const usedMs = startProcessorClock()
    for (let n = 0; n < 100; n++) clipText(text, 90_000)
    expect(usedMs()).toBeLessThan(500)
  })
})
