import { describe, expect, it } from 'vitest'
import type { EmbeddingProvider, TextKind } from './provider.ts'

const dot = (a: ArrayLike<number> | undefined, b: ArrayLike<number> | undefined): number => {
  if (a === undefined || b === undefined || a.length !== b.length) return Number.NaN
  return Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0)
}

// On a real model, batches may differ in the last bits; another text differs much more.
const isSame = 0.9999

const sentences = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) => `Report ${i * 7919}: the ${['harbour', 'violin', 'glacier', 'ledger'][i % 4]} was inspected on day ${i}.`,
  )

/**
 * What every provider must do. `makeProvider` returns a new one, ready for use; it is called once per test. `knows`: whether the model
 * has a vector for any text, or only for English.
 */
export function describeProvider(
  name: string,
  makeProvider: () => EmbeddingProvider | Promise<EmbeddingProvider>,
  { knows = 'everything' }: { knows?: 'everything' | 'english' } = {},
): void {
  const embed = async (texts: readonly string[], kind: TextKind = 'document') =>
    (await makeProvider()).embed(texts, kind)

  describe(`${name} as an embedding provider`, () => {
    it('has a name and limits', async () => {
      const provider = await makeProvider()
      expect(provider.id).toMatch(/^[a-z-]+\/.+/)
      expect(provider.batchSize).toBeGreaterThan(0)
      expect(provider.maxInputChars).toBeGreaterThan(1000)
    })

    it('has a calibration for its cosines', async () => {
      const provider = await makeProvider()
      const [question, right, wrong] = (
        await provider.embed(['the harbour', 'The harbour!', 'Quarterly tax figures, unaudited'], 'document')
      ).vectors
      const { toSimilarity } = provider.calibration
      expect(toSimilarity(dot(question, right))).toBeGreaterThan(toSimilarity(dot(question, wrong)))
      expect(toSimilarity(dot(question, question) + 1e-6)).toBe(1)
      // Known once the model is loaded, if it has such a limit.
      expect(provider.maxTokens ?? 512).toBeGreaterThanOrEqual(64)
    })

    it.each<TextKind>(['query', 'document'])('returns one vector of length 1 for each %s', async (kind) => {
      const { vectors, tokens } = await embed(sentences(3), kind)
      expect(vectors).toHaveLength(3)
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array)
        expect(dot(vector, vector)).toBeCloseTo(1, 5)
      }
      expect(Number.isInteger(tokens) && tokens >= 0).toBe(true)
    })

    it('knows its dimensions after the first answer and keeps them for both kinds', async () => {
      const provider = await makeProvider()
      const [document] = (await provider.embed(['a harbour at night'], 'document')).vectors
      expect(provider.dims).toBe(document?.length)
      const [query] = (await provider.embed(['which harbour?'], 'query')).vectors
      expect(query?.length).toBe(provider.dims)
    })

    it('returns the same vector for the same text, within a list and in another call', async () => {
      const provider = await makeProvider()
      const { vectors } = await provider.embed(['one violin', 'two ledgers', 'one violin'], 'document')
      const again = (await provider.embed(['one violin'], 'document')).vectors
      expect(dot(vectors[0], vectors[2])).toBeGreaterThan(isSame)
      expect(dot(vectors[0], again[0])).toBeGreaterThan(isSame)
      expect(dot(vectors[0], vectors[1])).toBeLessThan(0.99)
    })

    it('rates a text as closer to one on the same topic than to another', async () => {
      const [question, right, wrong] = (
        await embed(['Where is the harbour?', 'The harbour is north of the town.', 'Quarterly tax figures, unaudited'])
      ).vectors
      expect(dot(question, right)).toBeGreaterThan(dot(question, wrong))
    })

    it('returns an empty list for an empty list', async () => {
      await expect(embed([])).resolves.toEqual({ vectors: [], tokens: 0 })
    })

    it('keeps the order of a list of several batches', async () => {
      const provider = await makeProvider()
      const texts = sentences(provider.batchSize * 2 + 1)
      const { vectors } = await provider.embed(texts, 'document')
      expect(vectors).toHaveLength(texts.length)
      const places = [0, provider.batchSize - 1, provider.batchSize, texts.length - 1]
      const alone = await Promise.all(places.map((i) => provider.embed(texts.slice(i, i + 1), 'document')))
      places.forEach((place, i) => expect(dot(vectors[place], alone[i]?.vectors[0])).toBeGreaterThan(isSame))
    })

    it('rejects with the reason of a signal that is already aborted', async () => {
      const provider = await makeProvider()
      const reason = new Error('nobody waits any more')
      await expect(provider.embed(['text'], 'query', AbortSignal.abort(reason))).rejects.toBe(reason)
    })

    it.each([
      ['Chinese', '港口在城市的北边。'],
      ['Arabic', 'الميناء شمال المدينة'],
      ['emoji', '🚢⚓️👩🏽‍🚀'],
      ['combining marks', 'Z̴̡̛a̵͎͝l̴̰̈g̸̱̈o̶͓͠'],
      ['control characters', 'a\u0000b\u0007c\u2028d'],
      ['half a character', `broken \uD83D text \uDEA2`],
      ['only punctuation', '…—?!'],
    ])('accepts %s', async (_, text) => {
      const { vectors } = await embed([text])
      const lengths = vectors.map((vector) => vector && Number(dot(vector, vector).toFixed(5)))
      expect(knows === 'everything' ? [[1]] : [[1], [undefined]]).toContainEqual(lengths)
    })

    it('cuts a text of 100 kB to maxInputChars', async () => {
      const provider = await makeProvider()
      const long = sentences(2000).join(' ')
      expect(long.length).toBeGreaterThan(100_000)
      const { vectors } = await provider.embed([long, long.slice(0, provider.maxInputChars)], 'document')
      expect(dot(vectors[0], vectors[1])).toBeGreaterThan(isSame)
    })

    it('does not split a character', async () => {
      const provider = await makeProvider()
      const start = 'harbour '.repeat(provider.maxInputChars).slice(0, provider.maxInputChars - 1)
      const { vectors } = await provider.embed([`${start}🚢🚢`, start], 'document')
      expect(dot(vectors[0], vectors[1])).toBeGreaterThan(isSame)
    })
  })
}
