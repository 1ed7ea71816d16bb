import { describe, expect, it } from 'vitest'
import { plainCosines } from './calibration.ts'
import { embedOnce, EmbeddingError, type EmbeddingProvider } from './provider.ts'

/** Vectors encode a text's length; a text of question marks is unknown to the model. Records what it received. */
function countingProvider() {
  const asked: string[][] = []
  let isDown = false
  const provider: EmbeddingProvider = {
    id: 'counting',
    dims: 1,
    calibration: plainCosines,
    isMeanOfWords: false,
    maxTokens: undefined,
    maxInputChars: 1000,
    batchSize: 10,
    async embed(texts, kind) {
      if (isDown) throw new EmbeddingError('unavailable', 'down')
      asked.push(texts.map((text) => `${kind} ${text}`))
      const vectors = texts.map((text) => (text.startsWith('?') ? undefined : Float32Array.of(text.length)))
      return { vectors, tokens: texts.length }
    },
  }
  return { asked, provider, setDown: (value: boolean) => (isDown = value) }
}

describe('embedOnce', () => {
  it('embeds a text once, within one call and over several, and returns each vector in its place', async () => {
    const { asked, provider } = countingProvider()
    const once = embedOnce(provider)
    const first = await once.embed(['one', 'three', 'one', '??'], 'document')
    expect(first).toEqual({
      vectors: [Float32Array.of(3), Float32Array.of(5), Float32Array.of(3), undefined],
      tokens: 3,
    })
    const second = await once.embed(['three', '??', 'fours'], 'document')
    expect(second).toEqual({ vectors: [Float32Array.of(5), undefined, Float32Array.of(5)], tokens: 1 })
    expect(await once.embed(['one'], 'document')).toEqual({ vectors: [Float32Array.of(3)], tokens: 0 })
    expect(asked).toEqual([['document one', 'document three', 'document ??'], ['document fours']])
  })

  it('distinguishes questions from stored texts', async () => {
    const { asked, provider } = countingProvider()
    const once = embedOnce(provider)
    await once.embed(['one'], 'document')
    await once.embed(['one'], 'query')
    expect(asked).toEqual([['document one'], ['query one']])
  })

  it('tries again after a failure', async () => {
    const { asked, provider, setDown } = countingProvider()
    const once = embedOnce(provider)
    setDown(true)
    await expect(once.embed(['one'], 'document')).rejects.toThrow(EmbeddingError)
    setDown(false)
    await once.embed(['one'], 'document')
    expect(asked).toEqual([['document one']])
  })

  it('returns correct vectors beyond its cache size', async () => {
    const { provider } = countingProvider()
    const once = embedOnce(provider)
    const texts = Array.from({ length: 600 }, (_, i) => 'x'.repeat(i + 1))
    for (let round = 0; round < 2; round++) {
      const { vectors } = await once.embed(texts, 'document')
      expect(vectors.map((vector) => vector?.[0])).toEqual(texts.map(({ length }) => length))
    }
  })
})
