import { describe, expect, it } from 'vitest'
import { asPlainTexts, measureBm25 } from './measure-quality.ts'

describe('asPlainTexts', () => {
  const set = asPlainTexts({
    name: 'example',
    items: [
      {
        id: 'a',
        group: 'g',
        text: 'I went.',
        speaker: 'Ada',
        timestamp: '2023-05-08T23:30:00.000Z',
        parent: 's',
        tags: ['x'],
      },
      { id: 'b', group: 'g', text: 'Ferns need water.', title: 'Plants' },
      { id: 'c', group: 'g', text: 'Plain.' },
    ],
    questions: [
      {
        id: 'q',
        group: 'g',
        query: 'Who writes about plants?',
        relevant: ['b'],
        areParents: false,
        kind: 'all',
        searches: 'notes',
        now: undefined,
      },
    ],
  })

  it('puts titles, speakers and dates into the text, because not all servers have fields for them', () => {
    expect(set.items.map(({ text }) => text)).toEqual([
      'Ada, 8 May 2023: I went.',
      'Plants: Ferns need water.',
      'Plain.',
    ])
    expect(set.items[0]).toEqual({ id: 'a', group: 'g', parent: 's', text: 'Ada, 8 May 2023: I went.' })
  })

  it('lets the baseline find the same texts', () => {
    expect(measureBm25(set)).toEqual({ recall10: 1, ndcg10: 1, refused: 0 })
  })
})
