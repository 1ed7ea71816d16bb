import { quantize } from '../stored/entry.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { atOnce } from '../../core/in-pieces.ts'
import { dayMs } from '../../core/time.ts'
import { plainCosines } from '../../embeddings/calibration.ts'
import { contextFactor } from '../legs/context-factor.ts'
import { keyQuery } from '../query.ts'
import { searchVectors } from '../legs/semantic-leg.ts'
import { changeOf, testDay, wordTags } from '../testing/records.ts'
import { VaultIndex } from '../vault-index.ts'
import { searchWords } from '../legs/words-leg.ts'

/**
 * Both legs examine only some of a vault's items, and must rank as if they had examined all. Here the vault is many times larger than
 * each of their limits; items are random, but always the same.
 */

const itemCount = 6_000
const runLength = 8
const dims = 32
const modelId = 'm'
const depth = 100
/** How many of a hundred to compare by meaning: after them, an item far away that its neighbor would lift may be missed. */
const compared = 40
const everything = { passes: () => true, lends: () => true }

/** Numbers from 0 to 1 (Marsaglia's xorshift). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const random = createRandom(20_240_304)
const pick = (count: number) => Math.floor(random() * count)
const direction = () => Array.from({ length: dims }, () => random() + random() + random() - 1.5)

const unit = (values: readonly number[]) => values.map((value) => value / Math.hypot(...values))

/** Of some 800 words, a few frequent ones and many rare ones, no stop words, and none that a stemmer changes. */
const wordOf = (rank: number) => String(rank).replaceAll(/\d/g, (digit) => `${'bdfgklmnrt'[Number(digit)]}u`)
const word = () => wordOf(Math.floor(1_000 * random() ** 3))
const sentence = (words: number) => Array.from({ length: words }, word).join(' ')
/** Words in equally many texts: none of them leads to all of the best. */
const alike = (words: number) => Array.from({ length: words }, (_, i) => wordOf(50 + 10 * words + i)).join(' ')

const texts = Array.from({ length: itemCount }, () => sentence(4 + pick(60)))
const topics = Array.from({ length: itemCount / runLength }, direction)

/** Every other group of eight is a conversation on one topic; the rest have up to three chunks. */
const isTurn = (id: number) => Math.floor(id / runLength) % 2 === 0

function recordOf(id: number) {
  const topic = topics[Math.floor(id / runLength)] ?? []
  const near = () => unit(direction().map((value, i) => value + (topic[i] ?? 0)))
  const chunks = Array.from({ length: isTurn(id) ? 1 : 1 + pick(3) }, near)
  const occurredAt = testDay - (itemCount - id) * (dayMs / 20)
  return {
    text: texts[id] ?? '',
    header: { occurredAt },
    ...(isTurn(id) && { agentRunId: `${Math.floor(id / runLength)}` }),
    vectors: { modelId, chunks },
  }
}

describe('a vault of thousands', () => {
  const index = new VaultIndex()
  beforeAll(() => {
    const changes = Array.from({ length: itemCount }, (_, id) => changeOf({ id, ...recordOf(id) }))
    index.apply(changes.slice(0, -500))
    // The last items are in no postings yet.
    atOnce(index.parts.words.invert())
    index.apply(changes.slice(-500))
  })

  it.each(['', 'in January 2024', 'on 12 February 2024'])(
    'is ranked by meaning as if each item were examined (%s)',
    (when) => {
      for (const { found, expected } of rankByMeaning(when, everything.passes)) expect(found).toEqual(expected)
    },
  )

  /** The best slots of 20 questions, as they are found, and of an examination of all items. */
  function rankByMeaning(when: string, passes: (slot: number) => boolean) {
    const query = keyQuery(when, testDay, wordTags)
    const factor = contextFactor(index, query)
    return Array.from({ length: 20 }, () => {
      const values = unit(direction())
      const vector = { modelId, values, calibration: plainCosines }
      const found = searchVectors(index, query, vector, { ...everything, passes, threshold: 0, depth })
      const cosines = ownCosines(values)
      const expected = cosines
        .map((cosine, slot) => ({ slot, score: Math.max(0, inTurn(cosines, slot, cosine)) * factor.of(slot) }))
        .filter(({ slot }) => passes(slot))
        .toSorted((a, b) => b.score - a.score)
      const slotsOf = (ranked: readonly { slot: number }[]) => ranked.slice(0, compared).map(({ slot }) => slot)
      return { found: slotsOf(found), expected: slotsOf(expected) }
    })
  }

  /** The cosine of the nearest chunk, by slot. */
  function ownCosines(values: readonly number[]): number[] {
    const block = index.vectorsOf(modelId, dims)
    const cosines = Array<number>(itemCount).fill(-1)
    block?.scan(quantize(values)).forEach((cosine, row) => {
      const slot = block.rowSlots[row] ?? 0
      cosines[slot] = Math.max(cosines[slot] ?? -1, cosine)
    })
    return cosines
  }

  function inTurn(cosines: readonly number[], slot: number, own: number): number {
    if (!isTurn(slot) || !isShort(slot)) return own
    const { previous, next } = index.parts.runs
    const lent = [previous[slot], next[slot]].filter(
      (near) => near !== undefined && near >= 0 && isShort(near),
    ) as number[]
    return (own + lent.reduce((sum, near) => sum + 0.5 * (cosines[near] ?? 0), 0)) / (1 + 0.5 * lent.length)
  }

  const isShort = (slot: number) => (texts[slot] ?? '').split(' ').length <= 40

  it('is ranked by words as if only the 256 best matches existed', () => {
    for (let question = 0; question < 20; question++) {
      const asked = question % 2 === 0 ? sentence(2 + pick(7)) : alike(2 + pick(7))
      const query = keyQuery(asked, testDay, wordTags)
      const best = new Set(
        ownScores(asked)
          .map((score, slot) => ({ slot, score }))
          .filter(({ slot, score }) => score > 0 && !isTurn(slot))
          .toSorted((a, b) => b.score - a.score || b.slot - a.slot)
          .slice(0, 256)
          .map(({ slot }) => slot),
      )
      const search = (passes: (slot: number) => boolean) =>
        searchWords(index, query, { passes, lends: () => false }, depth).ranked
      expect(best.size).toBe(256)
      // Turns bring in their neighbors, however few words those contain.
      const found = search((slot) => !isTurn(slot))
      expect(found).toHaveLength(depth)
      expect(found).toEqual(search((slot) => best.has(slot)))
    }
  })

  /** By slot: the weight of the question's words in it, relative to its length, and BM25 of them. Computed from the texts. */
  function ownScores(asked: string): number[] {
    const { words } = index.parts
    const held = texts.map((text) => text.split(' '))
    const weights = [...new Set(asked.split(' '))].flatMap((term) => {
      const holding = held.filter((own) => own.includes(term)).length
      return holding === 0 ? [] : [{ term, weight: Math.log(1 + (itemCount - holding + 0.5) / (holding + 0.5)) }]
    })
    return held.map((own, slot) => {
      const norm = 1.2 * (0.25 + (0.75 * words.lengthOf(slot)) / words.meanLength)
      let presence = 0
      let okapi = 0
      for (const { term, weight } of weights) {
        const frequency = own.filter((each) => each === term).length
        if (frequency === 0) continue
        presence += weight
        okapi += (weight * 2.2 * frequency) / (frequency + norm)
      }
      return (presence * 5) / Math.sqrt(Math.max(25, words.distinct[slot] ?? 0)) + okapi
    })
  }

  it.each(['', 'in January 2024'])('is ranked the same if most items fail the filter (%s)', (when) => {
    const ranked = rankByMeaning(when, (slot) => slot % 40 === 0)
    for (const { found, expected } of ranked) expect(found).toEqual(expected)
  })
})
