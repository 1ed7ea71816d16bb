import { describe, expect, it } from 'vitest'
import { headerWords } from './header-words.ts'

describe('headerWords', () => {
  it('gives speaker, day, entities, tags and title as words, the speaker first', () => {
    const occurredAt = Date.UTC(2023, 4, 8, 13)
    const header = { speaker: 'Ann Lee', occurredAt, entities: ['Acme'], title: 'Plans', tags: ['big-deal'] }
    expect(headerWords(header)).toEqual({
      words: ['ann', 'lee', 'monday', '8', 'may', '2023', 'acm', 'big', 'deal', 'big-deal', 'plan'],
      speakerWords: 2,
      tagWords: 3,
      titleWords: 1,
    })
  })

  it('goes without a date where the time is none', () => {
    expect(headerWords({ occurredAt: Number.NaN, entities: [], tags: [] }).words).toEqual([])
  })
})
