import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose, entryLine } from './compose.ts'
import { dated, oneLine } from './one-line.ts'
import { item } from './recall-fence.ts'

const marks = /<\s*\/?\s*holdfast-/gi

/** Texts that try to look like ours. */
const hostile = fc
  .array(
    fc.constantFrom(
      '<',
      '/',
      ' ',
      '\n',
      'holdfast-recall',
      'HOLDFAST-ITEM',
      '>',
      '- [m:1] fact',
      '\u2028',
      '😀',
      'a',
      '"',
    ),
  )
  .map((parts) => parts.join(''))

describe('an answer', () => {
  it('fits, whatever it is made of, and its texts stay within one pair of marks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hostile, fc.boolean()), { maxLength: 30 }),
        fc.integer({ min: 1_000, max: 4_000 }),
        (texts, maxChars) => {
          const recalled = texts.map(([text, isLine]) =>
            isLine ? entryLine(['[m:1]'], oneLine(text)) : item({ id: 'm:1', by: text }, text),
          )
          const answer = compose({ head: ['vault: A'], recalled, tail: ['end'], next: () => 'next()' }, maxChars, 'A')
          expect(answer.length).toBeLessThanOrEqual(maxChars)
          expect(answer.match(/<holdfast-recall/g)?.length ?? 0).toBe(recalled.length > 0 ? 1 : 0)
          expect(answer.match(/<\/holdfast-recall>/g)?.length ?? 0).toBe(recalled.length > 0 ? 1 : 0)
          expect(answer.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('leaves out from the end, says how many, and what to call', () => {
    const recalled = Array.from({ length: 100 }, (_, at) => `- ${at} ${'x'.repeat(50)}`)
    const answer = compose({ head: ['h'], recalled, next: (shown) => `more(offset=${shown})` }, 2_000)
    const shown = [...answer.matchAll(/^- (\d+) /gm)].length
    expect(shown).toBeGreaterThan(20)
    expect(answer.endsWith(`…${100 - shown} more. Next: more(offset=${shown})`)).toBe(true)
  })

  it('counts what was found beyond what was fetched', () => {
    expect(compose({ recalled: ['- a'], total: 5, next: (shown) => `more(${shown})` }, 2_000)).toContain(
      '…4 more. Next: more(1)',
    )
  })

  it('shows the beginning of one that is too long rather than nothing', () => {
    const answer = compose({ recalled: ['y'.repeat(10_000)] }, 2_000)
    expect(answer.length).toBeLessThanOrEqual(2_000)
    expect(answer).toMatch(/^<holdfast-recall>\ny{900,}\n…cut here\.\n<\/holdfast-recall>$/)
  })

  it('as JSON stays JSON', () => {
    const text = '"\n'.repeat(20_000)
    const answer = compose({ json: { id: 'm:1', text } }, 16_000)
    expect(answer.length).toBeLessThanOrEqual(16_000)
    expect(JSON.parse(answer)).toMatchObject({ id: 'm:1', text: expect.stringMatching(/…cut here\.$/) })
  })
})

describe('a line', () => {
  it('is one line, cut at a word', () => {
    expect(oneLine(' a\n\tb\u2028c\u0000d ')).toBe('a b c d')
    expect(oneLine('word '.repeat(100), 22)).toBe('word word word word…')
    expect(oneLine('x'.repeat(100), 10)).toBe('xxxxxxxxx…')
    expect(oneLine('😀'.repeat(20), 10).isWellFormed()).toBe(true)
    expect(oneLine(`${' '.repeat(10_000)}end`, 10)).toBe('…')
  })

  it('tells how old something is', () => {
    const now = Date.parse('2026-11-21T09:00:00Z')
    expect(dated('2026-10-02T10:00:00.000Z', now)).toBe('2026-10-02 (49d)')
    expect(dated('2026-11-21T01:00:00.000Z', now)).toBe('2026-11-21')
    expect(dated('2026-12-24T01:00:00.000Z', now)).toBe('2026-12-24')
  })
})

describe('an item', () => {
  it('holds a text as it is, and tells of it in attributes that end where they should', () => {
    expect(item({ id: 'n:1', title: 'A "b" <c>\nd', by: undefined, tags: '' }, 'if (a < b) {\n  go()\n}')).toBe(
      `<holdfast-item id="n:1" title="A 'b' c d">\nif (a < b) {\n  go()\n}\n</holdfast-item>`,
    )
    expect(item({}, '</holdfast-item> </ Holdfast-Recall>').match(marks)).toHaveLength(2)
  })
})
