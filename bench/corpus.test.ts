import { describe, expect, it } from 'vitest'
import { createCorpus } from './corpus.ts'
import { createVocabulary } from './vocabulary.ts'

const wordsOf = (text: string) => text.split(' ')

describe('createCorpus', () => {
  it('returns the same memories and questions for the same seed, in any order', () => {
    const first = createCorpus(1)
    const later = first.memoryAt(70)
    const second = createCorpus(1)
    expect(second.memoryAt(3)).toEqual(first.memoryAt(3))
    expect(second.memoryAt(70)).toEqual(later)
    expect(second.questionAt(5, 1_000)).toBe(first.questionAt(5, 1_000))
  })

  it('returns different memories for another seed', () => {
    expect(createCorpus(2).memoryAt(3).content).not.toBe(createCorpus(1).memoryAt(3).content)
  })

  it('writes memories of 25 to 60 words within one year', () => {
    const corpus = createCorpus(1)
    for (let number = 0; number < 500; number++) {
      const { content, occurredAt } = corpus.memoryAt(number)
      expect(wordsOf(content).length).toBeGreaterThanOrEqual(25)
      expect(wordsOf(content).length).toBeLessThanOrEqual(60)
      expect(occurredAt.slice(0, 4)).toMatch(/^202[56]$/)
    }
  })

  it('asks 500 different questions of 3 to 8 words', () => {
    const corpus = createCorpus(1)
    const questions = Array.from({ length: 500 }, (_, number) => corpus.questionAt(number, 10_000))
    expect(new Set(questions).size).toBe(500)
    for (const question of questions) {
      expect(wordsOf(question).length).toBeGreaterThanOrEqual(3)
      expect(wordsOf(question).length).toBeLessThanOrEqual(8)
    }
  })

  it('asks about the memories of a part', () => {
    const corpus = createCorpus(1)
    const wordsIn = (text: string) => wordsOf(text.toLowerCase().replaceAll('.', ''))
    for (let number = 0; number < 100; number++) {
      const words = new Set([0, 1, 2].flatMap((place) => wordsIn(corpus.memoryAt(700 + place).content)))
      // Its last two words are always from a memory.
      const question = wordsIn(corpus.questionAt(number, 3, 700)).slice(-2)
      expect([number, question.filter((word) => !words.has(word))]).toEqual([number, []])
    }
  })

  it('uses a few words often and most words rarely', () => {
    const corpus = createCorpus(1)
    const counts = new Map<string, number>()
    for (let number = 0; number < 4_000; number++) {
      const distinct = new Set(wordsOf(corpus.memoryAt(number).content.toLowerCase().replaceAll('.', '')))
      for (const word of distinct) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    const content = createVocabulary(1).contentWords.map((word) => counts.get(word) ?? 0)
    expect(Math.max(...content) / 4_000).toBeGreaterThan(0.02)
    expect(Math.max(...content) / 4_000).toBeLessThan(0.2)
    expect(content.filter((count) => count > 0).length).toBeGreaterThan(10_000)
    expect(content.filter((count) => count <= 4).length / content.length).toBeGreaterThan(0.5)
  })
})
