import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareClaims } from '../claims/compare-claims.ts'
import { isRewording } from '../claims/rewording.ts'
import { defaultSettings } from '../vaults/settings.ts'
import { judge, type Claim } from './dedup.ts'

/** The hardest case: words and vectors find no difference. */
const judged = (older: string, newer: string) => {
  const claim = (content: string): Claim => ({
    memoryId: 'old',
    memoryType: 'fact',
    content,
    entities: [],
    occurredAt: 0,
    expiresAt: undefined,
  })
  return judge(
    claim(newer),
    claim(older),
    { jaccard: 1, similarity: 1, isByWords: false, sharesEntity: true },
    defaultSettings.dedup,
  )?.action
}

const word = fc.constantFrom(
  ...'the server database Ann port backup of is in runs likes nightly Berlin and coffee billing key for team report'.split(
    ' ',
  ),
)
const sentence = fc.array(word, { minLength: 2, maxLength: 30 }).map((words) => words.join(' '))
const number = fc.oneof(
  fc.nat(10_000).map(String),
  fc.float({ min: 0, max: 1000, noNaN: true, noDefaultInfinity: true }).map((value) => value.toFixed(2)),
  fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((parts) => `v${parts.join('.')}`),
)
const date = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((value) => value.toISOString().slice(0, 10))
const url = fc.webUrl({ withFragments: false, withQueryParameters: true })
const exact = fc.oneof(number, date, fc.uuid(), url)
const place = fc.double({ min: 0, max: 1, noNaN: true })

const insert = (text: string, part: string, at: number) => {
  const words = text.split(' ')
  words.splice(Math.floor(at * (words.length + 1)), 0, part)
  return words.join(' ')
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

describe('dedup', () => {
  it('never treats texts as duplicates that differ in a number, version, date, id or address', () => {
    fc.assert(
      fc.property(sentence, exact, exact, place, (text, one, other, at) => {
        fc.pre(!isSame(one, other))
        expect(judged(insert(text, one, at), insert(text, other, at))).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
  })

  it('never treats texts as duplicates if only one has a number, version, date, id or address', () => {
    fc.assert(
      fc.property(sentence, exact, place, (text, part, at) => {
        expect([judged(text, insert(text, part, at)), judged(insert(text, part, at), text)]).toEqual([
          undefined,
          undefined,
        ])
      }),
      { numRuns: 2_000 },
    )
  })

  it('never treats texts as duplicates if only one is negated', () => {
    const denial = fc.constantFrom(
      'not',
      'never',
      'no',
      "doesn't",
      'without',
      'nicht',
      'kein',
      'pas',
      'jamais',
      'nunca',
      'não',
      'не',
    )
    fc.assert(
      fc.property(sentence, denial, place, (text, no, at) => {
        expect([judged(text, insert(text, no, at)), judged(insert(text, no, at), text)]).toEqual([undefined, undefined])
      }),
      { numRuns: 2_000 },
    )
  })

  it('treats every text as a duplicate of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (text) => {
        expect(judged(text, text)).toBe('exact_match')
      }),
      { numRuns: 2_000 },
    )
  })

  it('treats a text as a duplicate of itself in other letter case and white space', () => {
    const space = fc.constantFrom(' ', '  ', '\n', '\t ', '\r\n')
    const shout = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(sentence, exact, space, shout, (text, part, gap, isUpper) => {
        const before = insert(text, part, 0.5)
        const after = Array.from(before, (sign, at) =>
          isUpper[at % isUpper.length] === true ? sign.toUpperCase() : sign,
        ).join('')
        expect(judged(before, gap + after.replaceAll(' ', gap))).toBe('exact_match')
      }),
      { numRuns: 1_000 },
    )
  })

  it('takes linear time on long and hostile texts', () => {
    const hostile = [
      'a '.repeat(50_000),
      'word '.repeat(20_000),
      `${'x'.repeat(49_999)} ${'y'.repeat(50_000)}`,
      '1'.repeat(100_000),
      '. '.repeat(50_000),
      "n't ".repeat(25_000),
      '"'.repeat(100_000),
      'A-'.repeat(50_000),
      `x${'.'.repeat(99_998)}x`,
      `x${'\n'.repeat(99_900)}-=x`,
      `a${'\u0301\u0316'.repeat(49_000)}`,
      "a'b".repeat(33_000),
      '1,000,'.repeat(16_000),
      'May 5 9:00 '.repeat(9_000),
      'on '.repeat(33_000),
      "x's ".repeat(25_000),
      ' .'.repeat(49_000),
      '\n'.repeat(100_000),
      Array.from({ length: 15_000 }, (_, at) => `w${at.toString(36)}`).join(' '),
      Array.from({ length: 15_000 }, (_, at) =>
        at.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? ''),
      ).join(' '),
    ]
    for (const text of hostile) {
      const startedAt = performance.now()
      compareClaims(text, `${text} end`, [])
      isRewording(text, `${text} end`)
      // Fifty times as long as on an idle machine; quadratic work takes minutes.
      expect([text.slice(0, 10), performance.now() - startedAt < 10_000]).toEqual([text.slice(0, 10), true])
    }
  })
})
