import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainCosines } from '../embeddings/calibration.ts'
import { atOnce } from '../core/in-pieces.ts'
import { keyQuery } from './query.ts'
import { filterTest } from './live.ts'
import { packIndex } from './pack-index.ts'
import { searchVectors } from './legs/semantic-leg.ts'
import { decodeSnapshot } from './stored/snapshot.ts'
import { built, changeOf, idOf, packed, segmentsOf, testDay, throughSnapshot, wordTags } from './testing/records.ts'
import { uuidOf } from './parts/tag-table.ts'
import { type IndexChange, VaultIndex } from './vault-index.ts'
import { searchWords } from './legs/words-leg.ts'

const vocabulary = ['apple', 'bridge', 'cloud', 'dragon', 'engine', 'forest', 'garden', 'harbour']
const filter = { kinds: ['memory'], includeArchived: true, asOf: testDay + 1e9, isRetrospective: false }

/** Ids and scores of what each leg finds for each word of the vocabulary. */
function findings(index: VaultIndex) {
  const passes = filterTest(index, filter)
  return vocabulary.map((word, i) => {
    const query = keyQuery(`${word} ${vocabulary[(i + 3) % 8]}`, testDay, wordTags)
    const words = searchWords(index, query, { passes, lends: passes }, 50)
    const vector = { modelId: 'm', values: [Math.cos(i), Math.sin(i)], calibration: plainCosines }
    const semantic = searchVectors(index, query, vector, { passes, lends: passes, threshold: 0.1, depth: 50 })
    const named = [...words.ranked, ...semantic].map(({ slot, score }) => `${index.itemIdOf(slot)} ${score.toFixed(9)}`)
    return [words.coverage.toFixed(9), ...named]
  })
}

/** Ends as ids, relations as names. */
function linksOf({ parts }: VaultIndex) {
  const [triples, names] = [parts.links.triples(), parts.relationNames]
  return Array.from({ length: triples.length / 3 }, (_, i) => {
    const [source = 0, target = 0, relation = 0] = triples.subarray(i * 3)
    return [uuidOf(parts.nodes.keys, source * 4), uuidOf(parts.nodes.keys, target * 4), names[relation]]
  })
}

const recordArbitrary = fc.record({
  id: fc.nat(30),
  words: fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }),
  run: fc.option(fc.nat(3), { nil: undefined }),
  at: fc.nat(20),
  removed: fc.boolean(),
  turn: fc.nat(6),
})

type Step = typeof recordArbitrary extends fc.Arbitrary<infer T> ? T : never

function changeOfStep({ id, words, run, at, removed, turn }: Step): IndexChange {
  if (removed) return { itemId: idOf(id), removed: true }
  return changeOf({
    id,
    text: words.map((word) => vocabulary[word]).join(' '),
    header: { occurredAt: testDay + at, speaker: turn > 3 ? 'dragon' : 'Ann', entities: [`thing ${turn}`] },
    ...(run === undefined ? {} : { agentRunId: `run ${run}` }),
    ...(turn > 4
      ? {}
      : {
          vectors: {
            modelId: 'm',
            chunks: (turn % 2 === 0 ? [turn] : [turn, turn + 2]).map((angle) => [Math.cos(angle), Math.sin(angle)]),
          },
        }),
  })
}

const history = fc.array(recordArbitrary, { maxLength: 120 })

/** The last state of each item, in order of arrival. */
function lastStates(steps: readonly Step[]): Step[] {
  return steps.filter((step, i) => !step.removed && !steps.slice(i + 1).some(({ id }) => id === step.id))
}

describe('VaultIndex', () => {
  it('finds the same after any history as an index of the last states', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const lived = new VaultIndex()
        for (const step of steps) lived.apply([changeOfStep(step)])
        const fresh = new VaultIndex()
        fresh.apply(lastStates(steps).map(changeOfStep))
        expect(lived.size).toBe(fresh.size)
        expect(findings(built(packed(lived)))).toEqual(findings(fresh))
      }),
      { numRuns: 60 },
    )
  })

  it('never returns a removed or replaced state, compacted or not', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const index = new VaultIndex()
        index.apply(steps.map(changeOfStep))
        const live = new Set(lastStates(steps).map(({ id }) => idOf(id)))
        for (const found of findings(index)) {
          const ids = found.slice(1).map((line) => line.split(' ')[0] ?? '')
          expect(ids.filter((id) => !live.has(id))).toEqual([])
        }
        for (const id of live) expect(index.itemIdOf(index.slotOf(id))).toBe(id)
      }),
      { numRuns: 60 },
    )
  })

  it('finds the same after loading from its snapshot, and accepts further changes', () => {
    fc.assert(
      fc.property(history, history, (before, after) => {
        const index = new VaultIndex()
        index.apply(before.map(changeOfStep))
        index.addLinks([{ sourceId: idOf(1), targetId: idOf(2), relationType: 'references' }])
        index.seq = 77
        const copy = throughSnapshot(index)
        expect([copy.seq, copy.size, copy.itemsWithVectors('m')]).toEqual([77, index.size, index.itemsWithVectors('m')])
        expect(findings(copy)).toEqual(findings(index))
        expect(linksOf(copy)).toEqual(linksOf(index))
        for (const each of [index, copy]) each.apply(after.map(changeOfStep))
        expect(findings(copy)).toEqual(findings(index))
      }),
      { numRuns: 40 },
    )
  })

  it('orders a run by times and ids, not by the latest change', () => {
    const turn = (id: number, facts = {}) => changeOf({ id, text: `turn ${id}`, agentRunId: 'talk', facts })
    const orderOf = ({ parts }: VaultIndex) => Array.from(parts.runs.sorted, (slot) => parts.slotNodes[slot])
    const index = new VaultIndex()
    index.apply([turn(1), turn(2), turn(3), turn(4, { createdAt: testDay - 1 })])
    expect(orderOf(index)).toEqual([3, 0, 1, 2])
    index.apply([turn(1, { importance: 4 })])
    expect(orderOf(index)).toEqual([3, 0, 1, 2])
    const copy = built(packed(index))
    copy.apply([turn(3), turn(2)])
    const { runs } = copy.parts
    const slots = [4, 1, 2, 3].map((id) => copy.slotOf(idOf(id)))
    expect(slots.map((slot) => runs.next[slot])).toEqual([...slots.slice(1), -1])
  })

  it('is copied in its state at the start, whatever changes between the pieces', () => {
    fc.assert(
      fc.property(history, history, (before, during) => {
        const index = new VaultIndex()
        index.apply(before.map(changeOfStep))
        index.addLinks([{ sourceId: idOf(1), targetId: idOf(2), relationType: 'references' }])
        const expected = findings(throughSnapshot(index))
        const work = packIndex(index)
        let step = work.next()
        for (let at = 0; step.done !== true; at++) {
          index.apply(during.slice(at, at + 1).map(changeOfStep))
          if (at === 3) index.removeLinks([{ sourceId: idOf(1), targetId: idOf(2), relationType: 'references' }])
          step = work.next()
        }
        const copy = built(step.value)
        expect(findings(copy)).toEqual(expected)
        expect(linksOf(copy)).toHaveLength(1)
      }),
      { numRuns: 60 },
    )
  })

  it('returns the same while its postings are built, and accepts concurrent changes', () => {
    const texts = Array.from({ length: 4_000 }, (_, id) =>
      changeOf({ id, text: `x${id}${` ${vocabulary[id % 8]}`.repeat(99)}` }),
    )
    const plain = new VaultIndex()
    const index = new VaultIndex()
    for (const each of [plain, index]) each.apply(texts.slice(0, 3_000))
    const work = index.parts.words.invert()
    let pieces = 0
    for (let at = 3_000; work.next().done !== true; at += 10, pieces++) {
      for (const each of [plain, index]) each.apply(texts.slice(at, at + 10))
      expect(findings(index)).toEqual(findings(plain))
    }
    expect([pieces > 4, index.parts.words.builtSlots]).toEqual([true, 3_000])
    expect(findings(index)).toEqual(findings(plain))
  })

  it('counts live items with vectors', () => {
    const index = new VaultIndex()
    const vectors = { modelId: 'm', chunks: [[1, 0]] }
    index.apply([
      changeOf({ id: 1, text: 'a1', vectors }),
      changeOf({ id: 2, text: 'b2', vectors }),
      changeOf({ id: 3, text: 'c3' }),
    ])
    expect([index.itemsWithVectors('m'), index.itemsWithVectors('other')]).toEqual([2, 0])
    index.apply([{ itemId: idOf(1), removed: true }, changeOf({ id: 2, text: 'b2' })])
    expect(index.itemsWithVectors('m')).toBe(0)
  })

  it('searches large tails and built postings alike', () => {
    const texts = Array.from({ length: 400 }, (_, id) =>
      changeOf({ id, text: `${vocabulary[id % 8]} ${vocabulary[(id * 3 + 1) % 8]} x${id}` }),
    )
    const tail = new VaultIndex()
    tail.apply(texts)
    expect(tail.parts.words.builtSlots).toBe(0)
    const inverted = new VaultIndex()
    inverted.apply(texts)
    atOnce(inverted.parts.words.invert())
    expect(findings(tail)).toEqual(findings(inverted))
  })

  it('contains only zeros after it was wiped', () => {
    const index = new VaultIndex()
    index.apply([changeOf({ id: 1, text: 'secret', agentRunId: 'r', vectors: { modelId: 'm', chunks: [[1, 2]] } })])
    const { words, nodes, runs, slotNodes, vectors } = index.parts
    const { sequence } = words
    expect(sequence.some((word) => word !== 0)).toBe(true)
    index.wipe()
    const left = [sequence, words.terms.keys, nodes.keys, runs.runs.keys, slotNodes]
    expect(left.every((array) => array.every((value) => value === 0))).toBe(true)
    expect(vectors[0]?.rowCount).toBe(0)
    expect(index.size).toBe(0)
  })

  it('rejects ids that are not UUIDs', () => {
    const change = { ...changeOf({ id: 1 }), itemId: 'nonsense' }
    expect(() => new VaultIndex().apply([change])).toThrow(TypeError)
  })

  it('reports how many bytes it uses, and that it grows', () => {
    const index = new VaultIndex()
    const before = index.bytes
    index.apply(Array.from({ length: 200 }, (_, id) => changeOf({ id, text: `word${id} ${vocabulary.join(' ')}` })))
    expect(index.bytes).toBeGreaterThan(before + 200 * 8 * 4)
  })
})

describe('decodeSnapshot', () => {
  const segments = (): Uint8Array[] => {
    const index = new VaultIndex()
    index.apply([changeOf({ id: 1, text: 'apple bridge' }), changeOf({ id: 2, text: 'cloud' })])
    return segmentsOf(index)
  }

  it('rejects segments that are cut, extended or from elsewhere', () => {
    const [only = new Uint8Array(0)] = segments()
    for (const length of [0, 3, 40, only.length - 1]) {
      expect(() => decodeSnapshot([only.subarray(0, length)])).toThrow('Malformed index snapshot')
    }
    expect(() => decodeSnapshot([only, Uint8Array.of(1)])).toThrow('bytes left over')
    const other = Buffer.from(only)
    other.write('"version":7', other.indexOf('"version":4'))
    expect(() => decodeSnapshot([other])).toThrow('unknown version 7')
  })

  it('keeps an empty index', () => {
    expect(throughSnapshot(new VaultIndex()).size).toBe(0)
  })
})
