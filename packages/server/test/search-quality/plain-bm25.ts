import { stem } from 'porter2'
import { stopWords } from '../../src/text/tokenize.ts'
import type { Item, LabelledSet } from './labelled-set.ts'
import type { Answer } from './score.ts'

/**
 * The baseline: a plain keyword index. Lower case, no stop words, Porter stems, pairs of characters for scripts without spaces, BM25
 * over title and text. It shares only the list of stop words and the stemmer with the product.
 */

const saturation = 1.2
const lengthWeight = 0.75
const unspaced = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Hangul}'
const run = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

export function plainWords(text: string): string[] {
  const runs = text.normalize('NFKC').toLowerCase().match(run) ?? []
  return runs.flatMap((word) => {
    if (isUnspaced.test(word)) return pairsOf(word)
    if (stopWords.has(word)) return []
    return [/^[a-z]+$/.test(word) ? stem(word) : word]
  })
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}

export interface Hit {
  id: string
  score: number
}

/**
 * BM25 (Robertson and others, TREC-3) with k1 1.2 and b 0.75, and ln(1 + (N - n + 0.5) / (n + 0.5)) as the weight of a word in n of N
 * texts. Texts without a word of the question are not found. Equal ones keep their order.
 */
export function createBm25(texts: readonly { id: string; text: string }[]): (question: string, topK: number) => Hit[] {
  const counted = texts.map(({ id, text }) => {
    const words = plainWords(text)
    return { id, length: words.length, counts: countWords(words) }
  })
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length)
  const weightOf = (word: string) => {
    const holders = counted.filter(({ counts }) => counts.has(word)).length
    return Math.log(1 + (counted.length - holders + 0.5) / (holders + 0.5))
  }
  return (question, topK) => {
    const words = [...countWords(plainWords(question))].map(([word, count]) => ({
      word,
      weight: count * weightOf(word),
    }))
    const hits = counted.map(({ id, length, counts }) => {
      const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / meanLength)
      const scores = words.map(({ word, weight }) => {
        const count = counts.get(word) ?? 0
        return (weight * count * (saturation + 1)) / (count + norm)
      })
      return { id, score: scores.reduce((sum, score) => sum + score, 0) }
    })
    return hits
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, topK)
  }
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The run of the baseline: each question searches what the product's search would. */
export function runBm25({ items, questions }: LabelledSet, topK: number): Answer[] {
  const indexes = new Map<string, ReturnType<typeof createBm25>>()
  return questions.map(({ id, group, searches, query }) => {
    const key = `${searches} ${group}`
    const index = indexes.get(key) ?? createBm25(textsOf(items, group, searches))
    indexes.set(key, index)
    return { query_id: id, ids: index(query, topK).map((hit) => hit.id) }
  })
}

const textsOf = (items: readonly Item[], group: string, searches: 'memories' | 'notes') =>
  items
    .filter((item) => item.group === group && (item.title !== undefined) === (searches === 'notes'))
    .map(({ id, title = '', text }) => ({ id, text: `${title} ${text}` }))
