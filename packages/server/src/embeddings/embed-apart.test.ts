import { describe, expect, it } from 'vitest'
import { plainCosines } from './calibration.ts'
import { embedApart } from './embed-apart.ts'
import { EmbeddingError, type EmbeddingProvider, toUnitVectors } from './provider.ts'

/** Has no good numbers for texts with `nan`, refuses requests with `no`, knows nothing of `?`, fails for `down`. Keeps what it was asked. */
function fussyProvider({ isBroken = false } = {}) {
  const asked: string[][] = []
  const provider: EmbeddingProvider = {
    id: 'test/fussy',
    dims: 1,
    calibration: plainCosines,
    isMeanOfWords: false,
    maxTokens: undefined,
    maxInputChars: 1000,
    batchSize: 4,
    async embed(texts) {
      asked.push([...texts])
      if (texts.includes('down')) throw new EmbeddingError('unavailable', 'http_503')
      if (texts.includes('no')) throw new EmbeddingError('refused', 'http_400')
      const rows = texts.map((text) => [isBroken || text === 'nan' ? NaN : 1])
      const vectors = toUnitVectors(rows, { count: texts.length, dims: 1 })
      return { vectors: vectors.map((vector, at) => (texts[at] === '?' ? undefined : vector)), tokens: 0 }
    },
  }
  return { asked, provider }
}

const one = Float32Array.of(1)

describe('embedApart', () => {
  it('asks for a batch of the provider at a time', async () => {
    const { asked, provider } = fussyProvider()
    const texts = ['a', '?', 'c', 'd', 'e']
    expect(await embedApart(provider, texts)).toEqual({
      vectors: [one, undefined, one, one, one],
      refusal: undefined,
    })
    expect(asked).toEqual([['a', '?', 'c', 'd'], ['e']])
  })

  it.each([
    ['is refused', 'no', 'http_400'],
    ['has no usable vector', 'nan', 'not_finite'],
  ])('gives all but the one that %s their vectors, and asks no other batch again', async (_, bad, refusal) => {
    const { asked, provider } = fussyProvider()
    const { vectors, ...rest } = await embedApart(provider, ['a', bad, 'c', 'd', 'e', 'f'])
    expect(vectors).toEqual([one, undefined, one, one, one, one])
    expect(rest).toEqual({ refusal })
    expect(asked.filter((texts) => texts.includes('e'))).toEqual([['e', 'f']])
  })

  it.each([[['a']], [['a', 'b', 'c']]])(
    'gives up no text (%j) of a model that has unusable numbers for all',
    async (texts) => {
      const { provider } = fussyProvider({ isBroken: true })
      await expect(embedApart(provider, texts)).rejects.toMatchObject({ reason: 'bad_response', code: 'not_finite' })
    },
  )

  it('rejects where the provider is away, at once', async () => {
    const { asked, provider } = fussyProvider()
    await expect(embedApart(provider, ['a', 'down', 'c'])).rejects.toMatchObject({ code: 'http_503' })
    expect(asked).toHaveLength(1)
  })
})
