import { describe, expect, it } from 'vitest'
import { createBm25, plainWords, runBm25 } from './plain-bm25.ts'

describe('plainWords', () => {
  it('lower-cases, drops stop words and stems', () => {
    expect(plainWords('The Deploys are running, Zoë!')).toEqual(['deploy', 'run', 'zoë'])
  })

  it('splits identifiers, and scripts without spaces into pairs', () => {
    expect(plainWords('MAP_TILE 房租多少 か')).toEqual(['map', 'tile', '房租', '租多', '多少', 'か'])
  })
})

describe('createBm25', () => {
  it('scores a worked example', () => {
    const search = createBm25([
      { id: 'one', text: 'tea tea milk' },
      { id: 'two', text: 'tea' },
      { id: 'three', text: 'water glass' },
    ])
    // "tea" is in 2 of 3 texts: ln(1 + 1.5 / 2.5) = 0.47000. Mean length 2.
    const [first, second, ...others] = search('tea', 10)
    // 0.47 × 2 × 2.2 / (2 + 1.2 × (0.25 + 0.75 × 3 / 2)) and 0.47 × 1 × 2.2 / (1 + 1.2 × (0.25 + 0.75 × 1 / 2))
    expect(first).toEqual({ id: 'two', score: expect.closeTo(0.59086, 4) })
    expect(second).toEqual({ id: 'one', score: expect.closeTo(0.56658, 4) })
    expect(others).toEqual([])
  })

  it('prefers the rarer word, counts a repeated word of the question each time, and stops at topK', () => {
    const search = createBm25([
      { id: 'common', text: 'red apple' },
      { id: 'common too', text: 'red house' },
      { id: 'rare', text: 'green apple' },
      { id: 'none', text: 'blue sky' },
    ])
    expect(search('red green', 10).map(({ id }) => id)).toEqual(['rare', 'common', 'common too'])
    expect(search('red green red', 1).map(({ id }) => id)).toEqual(['common'])
  })

  it('finds nothing for a question without words, and in an empty index', () => {
    expect(createBm25([{ id: 'one', text: 'tea' }])('the of', 10)).toEqual([])
    expect(createBm25([])('tea', 10)).toEqual([])
  })
})

describe('runBm25', () => {
  it('searches the memories or the notes of the vault, including titles', () => {
    const items = [
      { id: 'memory', group: 'g', text: 'a boat' },
      { id: 'note', group: 'g', text: 'made of wood', title: 'The boat' },
      { id: 'foreign', group: 'h', text: 'a boat' },
    ]
    const question = { group: 'g', query: 'boats', relevant: [], areParents: false, kind: 'name', now: undefined }
    const run = runBm25(
      {
        name: 'example',
        items,
        questions: [
          { ...question, id: 'q1', searches: 'memories' },
          { ...question, id: 'q2', searches: 'notes' },
        ],
      },
      10,
    )
    expect(run).toEqual([
      { query_id: 'q1', ids: ['memory'] },
      { query_id: 'q2', ids: ['note'] },
    ])
  })
})
