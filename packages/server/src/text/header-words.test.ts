import { describe, expect, it } from 'vitest'
import { headerWords } from './header-words.ts'

describe('headerWords', () => {
  it('returns speaker, day, entities, tags and title as words, the speaker first', () => {
    const occurredAt = Date.UTC(2023, 4, 8, 13)
    const header = { speaker: 'Ann Lee', occurredAt, entities: ['Acme'], title: 'Plans', tags: ['big-deal'] }
    expect(headerWords(header)).toEqual({
      words: ['ann', 'lee', 'monday', '8', 'may', '2023', 'acm', 'big', 'deal', 'big-deal', 'plan'],
      speakerWords: 2,
      tagWords: 3,
      titleWords: 1,
    })
  })

  it('leaves out the date if the time is invalid', () => {
    expect(headerWords({ occurredAt: Number.NaN, entities: [], tags: [] }).words).toEqual([])
  })
})

describe('the speaker', () => {
  const namesIn = (speaker: string) => {
    const { words, speakerWords } = headerWords({ speaker, occurredAt: Date.UTC(2026, 10, 21), entities: [], tags: [] })
    return { names: words.slice(0, speakerWords), words }
  }

  it('is found by each part of a name, but by an id only as a whole', () => {
    expect(namesIn('Ann Lee').names).toEqual(['ann', 'lee'])
    expect(namesIn('山田太郎').names).toEqual(['山田', '田太', '太郎'])
    expect(namesIn('claude-code').names).toEqual(['claude-code'])
    expect(namesIn('ReviewBot').names).toEqual(['reviewbot'])
    expect(namesIn('Ann-Marie Lee').names).toEqual(['ann-marie', 'lee'])
    expect(namesIn('Will Smith').names).toEqual(['smith'])
    expect(namesIn('').names).toEqual([])
  })

  it('is still found by the parts of an id', () => {
    expect(namesIn('claude-code').words).toEqual(expect.arrayContaining(['claud', 'code', 'claude-code']))
    expect(namesIn('ReviewBot').words).toEqual(expect.arrayContaining(['review', 'bot']))
  })
})
