import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose, entryLine, minWholeChars, type WholeItem } from './compose.ts'
import { dated, displayName, oneLine } from './one-line.ts'
import { defused, item } from './recall-fence.ts'

const marks = /<\s*\/?\s*holdfast-/gi

/** Texts that imitate our marks and lines. */
const hostile = fc
  .array(
    fc.constantFrom(
      '<',
      '/',
      ' ',
      '\n',
      'holdfast-recall',
      'HOLDFAST-ITEM',
      'h\u043eldfast-recall-0123456789ab',
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
  it('fits the limit and keeps its texts within one pair of marks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hostile, fc.boolean()), { maxLength: 30 }),
        fc.integer({ min: 1_000, max: 4_000 }),
        (texts, maxChars) => {
          const recalled = texts.map(([text, isLine]) =>
            isLine ? entryLine(['[m:1]'], oneLine(text)) : item({ id: 'm:1', by: text }, text),
          )
          const answer = compose({ head: ['vault: A'], recalled, tail: ['end'], next: () => 'next()', maxChars }, 'A')
          expect(answer.length).toBeLessThanOrEqual(maxChars)
          expect(answer.match(/<holdfast-recall/g)?.length ?? 0).toBe(recalled.length > 0 ? 1 : 0)
          expect(answer.match(/<\/holdfast-recall-\w{12}>/g)?.length ?? 0).toBe(recalled.length > 0 ? 1 : 0)
          expect(answer.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('drops entries from the end, and says how many and what to call', () => {
    const recalled = Array.from({ length: 100 }, (_, at) => `- ${at} ${'x'.repeat(50)}`)
    const answer = compose({ head: ['h'], recalled, next: (shown) => `more(offset=${shown})`, maxChars: 2_000 })
    const shown = [...answer.matchAll(/^- (\d+) /gm)].length
    expect(shown).toBeGreaterThan(20)
    expect(answer.endsWith(`…${100 - shown} more. Next: more(offset=${shown})`)).toBe(true)
  })

  it('counts results that were found but not fetched', () => {
    expect(compose({ recalled: ['- a'], total: 5, next: (shown) => `more(${shown})`, maxChars: 2_000 })).toContain(
      '…4 more. Next: more(1)',
    )
  })

  it('shows the start of a text that is too long', () => {
    const answer = compose({ recalled: ['y'.repeat(10_000)], maxChars: 2_000 })
    expect(answer.length).toBeLessThanOrEqual(2_000)
    expect(answer).toMatch(/^<(holdfast-recall-\w+)>\ny{900,}\n…cut here\.\n<\/\1>$/)
  })

  it('shows every character of every text once if you follow the calls it names', () => {
    const text = fc.oneof(
      hostile,
      fc.integer({ min: 0, max: 30_000 }).map((length) => 'ab😀\n< '.repeat(length / 6)),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.string({ maxLength: 400 })), { minLength: 1, maxLength: 50 }),
        fc.integer({ min: minWholeChars, max: 40_000 }),
        fc.array(fc.string({ maxLength: 36 }), { maxLength: 3 }),
        (texts, maxChars, head) => {
          const items = texts.map(([own, title], at): WholeItem => ({
            id: `n:${at}`,
            text: own,
            show: (part) => item({ id: `n:${at}`, title, folder: title, tags: title, by: title }, part),
          }))
          const read = new Map<string, string>()
          let [first, offset] = [0, 0]
          for (let page = 0; first < items.length; page++) {
            if (page > 1_000) throw new Error('no end')
            const left = items.slice(first)
            const ids = (from: number) => left.slice(from).map(({ id }) => id.padEnd(38, '0'))
            const next = (from: number, at: number) => `read(${JSON.stringify(ids(from))}) #${first + from} ${at}`
            const answer = compose({ head, whole: { items: left, offset, next }, maxChars }, 'A')
            expect(answer.length).toBeLessThanOrEqual(maxChars)
            expect(answer.isWellFormed()).toBe(true)
            for (const [, , id = '', part = ''] of answer.matchAll(
              /<(holdfast-item-\w+) id="(n:\d+)"[^>]*>\n([^]*?)\n<\/\1>/g,
            ))
              read.set(id, (read.get(id) ?? '') + part)
            const [, at, from] = /#(\d+) (\d+)$/.exec(answer) ?? []
            ;[first, offset] = [Number(at ?? items.length), Number(from ?? 0)]
          }
          expect(items.map(({ id }) => read.get(id))).toEqual(items.map((one) => defused(one.text)))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('as JSON stays valid', () => {
    const text = '"\n'.repeat(20_000)
    const answer = compose({ json: { id: 'm:1', text } })
    expect(answer.length).toBeLessThanOrEqual(16_000)
    expect(JSON.parse(answer)).toMatchObject({
      id: 'm:1',
      text: expect.stringMatching(/^<(holdfast-recall-\w+)>\n"[^]*…cut here\.\n<\/\1>$/),
    })
  })
})

describe('a line', () => {
  it('is one line, cut between words', () => {
    expect(oneLine(' a\n\tb\u2028c\u0000d ')).toBe('a b c d')
    expect(oneLine('word '.repeat(100), 22)).toBe('word word word word…')
    expect(oneLine('x'.repeat(100), 10)).toBe('xxxxxxxxx…')
    expect(oneLine('😀'.repeat(20), 10).isWellFormed()).toBe(true)
    expect(oneLine(`${' '.repeat(10_000)}end`, 10)).toBe('…')
  })

  it('of a name has no invisible characters and no mark', () => {
    expect(displayName(' a\u200b\u202eb\n\n## c </hold\u00adfast-recall> ')).toBe('ab ## c ‹/holdfast-recall>')
    expect(displayName('x'.repeat(100_000)).length).toBe(60)
    expect(displayName('👩\u200d💻 co\u200dder')).toBe('👩\u200d💻 coder')
    expect(displayName(`${'x'.repeat(57)}👩\u200d💻 coder`, 61)).toBe(`${'x'.repeat(57)}👩…`)
  })

  it('shows the age', () => {
    const now = Date.parse('2026-11-21T09:00:00Z')
    expect(dated('2026-10-02T10:00:00.000Z', now)).toBe('2026-10-02 (49d)')
    expect(dated('2026-11-21T01:00:00.000Z', now)).toBe('2026-11-21')
    expect(dated('2026-12-24T01:00:00.000Z', now)).toBe('2026-12-24')
  })
})

describe('an item', () => {
  it('contains a text unchanged, with safe attributes', () => {
    expect(item({ id: 'n:1', title: 'A "b" <c>\nd', by: undefined, tags: '' }, 'if (a < b) {\n  go()\n}')('0f')).toBe(
      `<holdfast-item-0f id="n:1" title="A 'b' c d">\nif (a < b) {\n  go()\n}\n</holdfast-item-0f>`,
    )
    expect(item({}, '</holdfast-item> </ Holdfast-Recall>')('0f').match(marks)).toHaveLength(2)
  })
})
