import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadStaticModel } from './static-model.ts'

const model = loadStaticModel()

/**
 * Texts, the number of their tokens in the table, and the first numbers of their vectors: computed in doubles from the words and the
 * table as scripts/model reads them (word_pieces.py, table_file.py).
 */
const reference: readonly [text: string, tokens: number, start: readonly number[]][] = [
  ['The ferry leaves at half past six.', 8, [0.19848, -0.18344, -0.1033, -0.02303, 0.02222, 0.03067, 0.09286, 0.08852]],
  ['Ferry LEAVES', 2, [-0.01881, -0.07264, 0.01607, -0.08921, 0.05993, 0.03442, 0.01678, 0.02077]],
  [
    'Møller drinks café crème in Zürich',
    9,
    [0.10488, -0.05617, -0.02457, -0.24413, -0.08597, 0.15469, 0.12015, -0.06725],
  ],
  [
    'const total = items.reduce((sum, item) => sum + item.price, 0)',
    23,
    [0.15526, 0.14396, 0.0008, -0.12834, -0.07477, 0.1481, 0.03889, -0.03323],
  ],
  [
    'backup_job.retry_count >= 3 || panic!()',
    17,
    [0.11283, 0.12433, 0.06841, 0.02198, -0.1219, -0.02446, 0.08573, 0.0747],
  ],
  [
    'release 4.11.2-beta on 2027-02-28T09:30Z',
    21,
    [0.18359, -0.01558, -0.10948, 0.03924, -0.2162, 0.05487, -0.01802, 0.07693],
  ],
  ['港口在城市的北边', 4, [-0.08692, -0.03226, -0.04644, -0.12942, -0.04275, 0.01246, -0.01914, -0.08128]],
  ['東京タワー', 5, [-0.00383, -0.10481, -0.03504, -0.16314, -0.02971, -0.06801, -0.02453, 0.02195]],
  ['Где ключ от склада?', 16, [0.03737, 0.02069, -0.04548, -0.14959, -0.12183, -0.01025, 0.09439, -0.06462]],
  ['한국어 문장', 14, [0.00043, 0.03065, -0.02467, -0.05727, -0.00131, -0.03064, -0.00566, -0.1471]],
  [
    'ﬁne\u00A0ligature and a zero\u200Bwidth space',
    11,
    [0.19043, 0.00394, -0.20817, -0.14602, -0.03861, -0.08655, -0.0739, 0.08663],
  ],
  ['hyperparathyroidism', 5, [-0.01675, 0.13142, -0.03459, -0.03721, -0.04068, -0.20024, -0.07147, -0.02376]],
  [
    'wohnung@example.org, +49 30 901820',
    14,
    [0.08869, 0.01199, -0.12565, -0.10186, -0.02112, -0.03497, -0.04611, -0.01353],
  ],
]

const dot = (a: Float32Array, b: ArrayLike<number>): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? Number.NaN), 0)

describe('the built-in model', () => {
  it.each(reference)('returns the reference vector for %j', (text, tokens, start) => {
    const embedded = model.embed(text)
    expect(embedded.tokens).toBe(tokens)
    expect(Array.from(embedded.vector ?? []).slice(0, start.length)).toEqual(
      start.map((value) => expect.closeTo(value, 4)),
    )
  })

  it('has a vector of length 1 or none for any text, and the same for lone surrogates as for the replacement character', () => {
    const parts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('\uD83D', '\uDE00', '\u0301', 'ship'),
    )
    const anyText = fc.array(parts).map((all) => all.join(''))
    const isSound = (text: string): boolean => {
      const { vector, tokens } = model.embed(text)
      const wellFormed = model.embed(text.toWellFormed()).vector
      if (vector === undefined || wellFormed === undefined) return vector === wellFormed
      return tokens > 0 && Math.abs(dot(vector, vector) - 1) < 1e-5 && Math.abs(dot(vector, wellFormed) - 1) < 1e-5
    }
    expect(() => fc.assert(fc.property(anyText, isSound), { numRuns: 1000 })).not.toThrow()
  })
})
