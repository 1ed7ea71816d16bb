import { describe, expect, it } from 'vitest'
import { memoryTypes } from '../../src/memories/memory.ts'
import { tokenize } from '../../src/text/tokenize.ts'
import { listWikiTitles } from '@holdfast/transfer/text/wiki-links'
import type { Item, Question } from './labelled-set.ts'
import { readSuite } from './measure-suite.ts'
import { plainWords } from './plain-bm25.ts'

/** What the set guarantees to readers of its figures. */

const { items, questions } = readSuite()
const itemsById = new Map(items.map((item) => [item.id, item]))
const goldOf = ({ relevant }: Question): Item[] => relevant.flatMap((id) => itemsById.get(id) ?? [])

describe("the suite's own set", () => {
  it('has at least 600 items and 160 questions, each with its own id', () => {
    expect(items.length).toBeGreaterThanOrEqual(600)
    expect(questions.length).toBeGreaterThanOrEqual(160)
    for (const lines of [items, questions]) expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
  })

  it('contains no duplicates', () => {
    for (const texts of [items.map(({ text }) => text), questions.map(({ query }) => query)])
      expect(new Set(texts).size).toBe(texts.length)
  })

  it('has memories of all types, turns of conversations with a speaker and a time, and notes', () => {
    const memories = items.filter(({ title }) => title === undefined)
    expect(new Set(memories.map(({ type }) => type))).toEqual(new Set(memoryTypes))
    expect(memories.filter(({ timestamp }) => Number.isNaN(Date.parse(timestamp ?? '')))).toEqual([])
    const turns = memories.filter(({ parent }) => parent !== undefined)
    expect(turns.length).toBeGreaterThan(80)
    expect(turns.filter(({ speaker }) => speaker === undefined)).toEqual([])
    expect(items.length - memories.length).toBeGreaterThan(100)
  })

  it('links notes by titles that exist', () => {
    const titles = new Set(items.map(({ group, title }) => `${group} ${title?.toLowerCase()}`))
    const strange = items
      .filter(({ title }) => title !== undefined)
      .flatMap(({ id, group, text }) =>
        listWikiTitles(text)
          .filter(({ title }) => !titles.has(`${group} ${title.toLowerCase()}`))
          .map(({ title }) => `${id}: ${title}`),
      )
    expect(strange).toEqual([])
  })

  it('answers each question within its vault, from what its search covers, and before it is asked', () => {
    const wrong = questions.flatMap((question) =>
      question.relevant
        .filter((id) => {
          const gold = itemsById.get(id)
          const isNote = gold?.title !== undefined
          const isTooLate = Date.parse(gold?.timestamp ?? '') > Date.parse(question.now ?? '')
          return gold?.group !== question.group || isNote !== (question.searches === 'notes') || isTooLate
        })
        .map((id) => `${question.id}: ${id}`),
    )
    expect(wrong).toEqual([])
  })

  it('has an answer for all questions except those of abstention, and at least two for two hops', () => {
    const fewest = ({ kind }: Question) => (kind === 'two-hop' ? 2 : 1)
    const wrong = questions.filter((question) =>
      question.kind === 'abstention'
        ? question.relevant.length > 0
        : new Set(question.relevant).size < fewest(question),
    )
    expect(wrong.map(({ id }) => id)).toEqual([])
  })

  it('paraphrases without a common stem with the answer', () => {
    const shared = questions
      .filter(({ kind }) => kind === 'paraphrase')
      .flatMap((question) => {
        const asked = wordsOf(question.query)
        return goldOf(question).flatMap((gold) => {
          const { text, title = '', speaker = '', entities = [], tags = [] } = gold
          const told = wordsOf([title, text, speaker, ...entities, ...tags].join(' '))
          return [...asked].filter((word) => told.has(word)).map((word) => `${question.id}: ${word}`)
        })
      })
    expect(shared).toEqual([])
  })
})

/** By both the baseline's and the product's definition of a word, so neither finds the answer by one. */
const wordsOf = (text: string) => new Set([...plainWords(text), ...tokenize(text)])
