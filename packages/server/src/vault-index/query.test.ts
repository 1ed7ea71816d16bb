import { expect, it, describe } from 'vitest'
import { keyQuery, createQueryVectors, distinctWords, keyWords } from './query.ts'
import { testDay, wordTags } from './testing/records.ts'
import { plainCosines } from '../embeddings/calibration.ts'
import { EmbeddingError, type EmbeddingProvider } from '../embeddings/provider.ts'

const windowsOf = (query: string) =>
  keyQuery(query, testDay, wordTags).dateWindows.map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 10)),
  )

it('merges adjacent date ranges of a question', () => {
  expect(windowsOf('on 3 May 2023, on 9 May 2023, on 4 May 2023')).toEqual([
    ['2023-05-03', '2023-05-05'],
    ['2023-05-09', '2023-05-10'],
  ])
  expect(windowsOf('in May 2023, above all on 9 May 2023')).toEqual([['2023-05-01', '2023-06-01']])
})

it('keeps the first eight of more', () => {
  const years = Array.from({ length: 20 }, (_, i) => `on 5 May ${2000 + i}`)
  expect(windowsOf(years.join(', ')).map(([from]) => from)).toEqual(
    years.slice(0, 8).map((year) => `${year.slice(-4)}-05-05`),
  )
})

it('keeps the first and the last words of a question around a pasted text', () => {
  const words = Array.from({ length: 1_000 }, (_, at) => `w${at}`)
  const kept = distinctWords(words.join(' '))
  expect(kept).toEqual([...words.slice(0, 200), ...words.slice(-200)])
  expect(keyQuery(words.join(' '), testDay, wordTags)).toMatchObject(keyWords(kept, wordTags))
  expect(distinctWords(words.slice(0, 400).join(' '))).toEqual(words.slice(0, 400))
})

const vault = '0198c5f0-0000-7000-8000-000000000001'
const otherVault = '0198c5f0-0000-7000-8000-000000000002'

function countingProvider(id = 'counting') {
  const asked: string[] = []
  let failures = 0
  const provider: EmbeddingProvider = {
    id,
    dims: 1,
    calibration: plainCosines,
    isMeanOfWords: false,
    maxTokens: undefined,
    maxInputChars: 1000,
    batchSize: 10,
    async embed(texts) {
      asked.push(...texts)
      if (failures-- > 0) throw new EmbeddingError('unavailable', 'down')
      return { vectors: texts.map((text) => (text === '?' ? undefined : Float32Array.of(text.length))), tokens: 7 }
    },
  }
  return { asked, provider, failNext: (count: number) => (failures = count) }
}

describe('createQueryVectors', () => {
  it('calls the provider once for a repeated question, and counts its tokens once', async () => {
    const { asked, provider } = countingProvider()
    const vectors = createQueryVectors()
    expect(await vectors.vectorOf(provider, vault, 'cats')).toEqual({ vector: Float32Array.of(4), tokens: 7 })
    expect(await vectors.vectorOf(provider, vault, 'cats')).toEqual({ vector: Float32Array.of(4), tokens: 0 })
    await vectors.vectorOf(provider, vault, 'Cats')
    expect(asked).toEqual(['cats', 'Cats'])
    expect(vectors.counts).toEqual({ kept: 1, embedded: 2 })
  })

  it('remembers that the model has no vector for a question', async () => {
    const { asked, provider } = countingProvider()
    const vectors = createQueryVectors()
    for (const tokens of [7, 0])
      expect(await vectors.vectorOf(provider, vault, '?')).toEqual({ vector: undefined, tokens })
    expect(asked).toEqual(['?'])
  })

  it('asks again for another vault and another model', async () => {
    const one = countingProvider('one')
    const two = countingProvider('two')
    const vectors = createQueryVectors()
    for (const vaultId of [vault, otherVault]) await vectors.vectorOf(one.provider, vaultId, 'cats')
    expect(await vectors.vectorOf(two.provider, vault, 'cats')).toMatchObject({ tokens: 7 })
    expect([one.asked, two.asked]).toEqual([['cats', 'cats'], ['cats']])
  })

  it('embeds once for several concurrent callers', async () => {
    const { asked, provider } = countingProvider()
    const vectors = createQueryVectors()
    const answers = await Promise.all(Array.from({ length: 5 }, () => vectors.vectorOf(provider, vault, 'cats')))
    expect(asked).toEqual(['cats'])
    expect(answers.map(({ tokens }) => tokens)).toEqual([7, 0, 0, 0, 0])
  })

  it('remembers no failure, and returns it to all who wait', async () => {
    const { asked, provider, failNext } = countingProvider()
    const vectors = createQueryVectors()
    failNext(1)
    const outcomes = await Promise.allSettled([1, 2].map(() => vectors.vectorOf(provider, vault, 'cats')))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await vectors.vectorOf(provider, vault, 'cats')
    expect(asked).toEqual(['cats', 'cats'])
  })

  it('forgets the least recently used first, and never holds more than 2,000', async () => {
    const { asked, provider } = countingProvider()
    const vectors = createQueryVectors()
    for (let number = 0; number <= 2_000; number++) {
      await vectors.vectorOf(provider, vault, `question ${number}`)
      await vectors.vectorOf(provider, vault, 'asked often')
    }
    asked.length = 0
    for (const query of ['question 0', 'question 2000', 'asked often']) await vectors.vectorOf(provider, vault, query)
    expect(asked).toEqual(['question 0'])
  })
})
