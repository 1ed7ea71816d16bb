import { describe, expect, it, onTestFinished } from 'vitest'
import { plainCosines } from './calibration.ts'
import { verifyRefusals, embedApart } from './refused-texts.ts'
import { EmbeddingError, toUnitVectors, type EmbeddingFailure, type EmbeddingProvider } from './provider.ts'

type Fault = (texts: readonly string[]) => void

const fail =
  (reason: EmbeddingFailure, code: string): Fault =>
  () => {
    throw new EmbeddingError(reason, code)
  }

const noNumbers: Fault = ({ length: count }) =>
  void toUnitVectors(
    Array.from({ length: count }, () => [NaN]),
    { count, dims: 1 },
  )

const faults: Record<string, Fault | undefined> = {
  refused: fail('refused', 'http_400'),
  nan: noNumbers,
  // NaN and null in another implementation's JSON, and a server that cannot serialize it.
  'no json': fail('bad_response', 'not_json'),
  null: fail('bad_response', 'not_embeddings'),
  broken: fail('unavailable', 'http_500'),
  throws: fail('unavailable', 'model_failed'),
  down: fail('unavailable', 'http_503'),
}

/**
 * Fails for lists with a text that names a fault, and has no vector for `?`. `all`: the fault of all texts. Records what it received.
 */
function fussyProvider({ all }: { all?: string } = {}) {
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
      for (const name of all === undefined ? texts : [all]) faults[name]?.(texts)
      return { vectors: texts.map((text) => (text === '?' ? undefined : Float32Array.of(1))), tokens: 0 }
    },
  }
  const clock = { nowMs: 0 }
  return { asked, clock, provider: verifyRefusals(provider, { now: () => clock.nowMs }) }
}

const hourMs = 3_600_000

const one = Float32Array.of(1)

describe('embedApart', () => {
  it('sends one batch of the provider at a time', async () => {
    const { asked, provider } = fussyProvider()
    const texts = ['a', '?', 'c', 'd', 'e']
    expect(await embedApart(provider, texts)).toEqual({
      vectors: [one, undefined, one, one, one],
      refusal: undefined,
    })
    expect(asked).toEqual([['a', '?', 'c', 'd'], ['e']])
  })

  const textsWith = (bad: string) => ['a', bad, 'c', 'd', 'e', 'f']

  it.each([
    ['refused', 'http_400'],
    ['nan', 'not_finite'],
  ])(
    'returns vectors for all texts except the one that fails with "%s", and sends no other batch again',
    async (bad, code) => {
      const { asked, provider } = fussyProvider()
      const { vectors, refusal } = await embedApart(provider, textsWith(bad))
      expect(vectors).toEqual([one, undefined, one, one, one, one])
      expect(refusal).toBe(code)
      expect(asked.filter((batch) => batch.includes('e'))).toEqual([['e', 'f']])
    },
  )

  it.each([
    ['no json', 'not_json'],
    ['null', 'not_embeddings'],
    ['broken', 'http_500'],
    ['throws', 'model_failed'],
  ])('gives up on a text that fails with "%s" only after an hour', async (bad, code) => {
    const { clock, provider } = fussyProvider()
    for (const nowMs of [0, 1, 2, hourMs - 1]) {
      clock.nowMs = nowMs
      await expect(embedApart(provider, textsWith(bad))).rejects.toMatchObject({ reason: 'unclear', code })
    }
    clock.nowMs = hourMs
    expect(await embedApart(provider, textsWith(bad))).toEqual({
      vectors: [one, undefined, one, one, one, one],
      refusal: code,
    })
  })

  const broken = [
    ['refused', 'unavailable', 'http_400'],
    ['nan', 'bad_response', 'not_finite'],
    ['no json', 'bad_response', 'not_json'],
    ['null', 'bad_response', 'not_embeddings'],
    ['broken', 'unavailable', 'http_500'],
    ['throws', 'unavailable', 'model_failed'],
  ] as const
  it.each(broken)('gives up on no text if the provider answers all with "%s"', async (all, reason, code) => {
    for (const texts of [['a'], ['a', 'b', 'c']]) {
      const { provider } = fussyProvider({ all })
      await expect(embedApart(provider, texts)).rejects.toMatchObject({ reason, code })
    }
  })

  it('restarts the hour for a text that got its vector in the meantime', async () => {
    const { clock, provider } = fussyProvider()
    const ask = () => embedApart(provider, ['long'])
    faults.long = faults.broken
    onTestFinished(() => void delete faults.long)
    await expect(ask()).rejects.toMatchObject({ reason: 'unclear' })
    faults.long = undefined
    expect(await ask()).toEqual({ vectors: [one], refusal: undefined })
    faults.long = faults.broken
    clock.nowMs = 2 * hourMs
    await expect(ask()).rejects.toMatchObject({ reason: 'unclear' })
  })

  it('fails a question at once: no one waits while known texts are tested', async () => {
    for (const bad of ['broken', 'refused']) {
      const { asked, provider } = fussyProvider()
      await expect(provider.embed([bad], 'query')).rejects.toBeInstanceOf(EmbeddingError)
      expect(asked).toEqual([[bad]])
    }
  })

  it('rejects at once if the provider is down', async () => {
    const { asked, provider } = fussyProvider()
    await expect(embedApart(provider, ['a', 'down', 'c'])).rejects.toMatchObject({ code: 'http_503' })
    expect(asked).toHaveLength(1)
  })
})
