import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit, closedBreaker, record, withBreaker } from './breaker.ts'
import type { Breaker, Outcome } from './breaker.ts'
import { plainCosines } from './calibration.ts'
import { EmbeddingError } from './provider.ts'
import type { EmbeddedTexts, EmbeddingProvider } from './provider.ts'

const outcomeOf: Record<string, Outcome> = { x: 'failed', o: 'succeeded', '-': 'abandoned' }

/** Plays outcomes on a closed breaker at time 0: x failed, o succeeded, - abandoned. */
const play = (outcomes: string, breaker = closedBreaker): Breaker =>
  outcomes
    .split('')
    .reduce(
      (state, letter) =>
        record(state, { generation: breaker.generation, outcome: outcomeOf[letter] ?? 'abandoned' }, 0),
      breaker,
    )

const pausedUntil = (retryAfterMs: number): number =>
  record(closedBreaker, { generation: 0, outcome: 'failed', retryAfterMs }, 100).reopensAtMs

function probe(breaker: Breaker, nowMs: number, outcome: Outcome): Breaker {
  const admitted = admit(breaker, nowMs)
  if (admitted === undefined) throw new Error('The probe was not admitted')
  return record(admitted, { generation: admitted.generation, outcome }, nowMs)
}

describe('opening', () => {
  it.each([
    ['five failures in a row', 'xxxxx', 'open'],
    ['five failures in a row after successes', 'ooooooxxxxx', 'open'],
    ['four failures in a row', 'xxxx', 'closed'],
    ['five failures with a success between', 'xxxoxx', 'closed'],
    ['ten failures of twenty', 'xo'.repeat(10), 'open'],
    ['ten failures among the latest twenty', `${'o'.repeat(20)}${'xo'.repeat(10)}`, 'open'],
    ['nine failures of twenty', `${'xo'.repeat(9)}oo`, 'closed'],
    ['half of fewer than twenty', `${'xo'.repeat(9)}x`, 'closed'],
    ['ten failures of more than twenty', `${'xo'.repeat(5)}ooooo${'xo'.repeat(5)}`, 'closed'],
    ['callers that gave up', '-'.repeat(40), 'closed'],
    ['failures between callers that gave up', 'x-x-x-x-x', 'open'],
  ])('after %s (%s) the breaker is %s', (_, outcomes, phase) => {
    expect(play(outcomes).phase).toBe(phase)
  })

  it('immediately follows a provider that says how long to stay away, up to a minute', () => {
    expect(pausedUntil(7000)).toBe(7100)
    expect(pausedUntil(0)).toBe(1100)
    expect(pausedUntil(86_400_000)).toBe(60_100)
  })
})

describe('while open', () => {
  it('admits no calls before the delay is over, then only one probe', () => {
    const open = play('xxxxx')
    expect(admit(open, 999)).toBeUndefined()
    const probing = admit(open, 1000)
    expect(probing?.phase).toBe('probing')
    expect(probing && admit(probing, 5000)).toBeUndefined()
  })

  it('doubles the wait after each failed probe, up to a minute', () => {
    let breaker = play('xxxxx')
    let nowMs = 0
    const delaysMs: number[] = []
    for (let i = 0; i < 9; i++) {
      delaysMs.push(breaker.reopensAtMs - nowMs)
      nowMs = breaker.reopensAtMs
      breaker = probe(breaker, nowMs, 'failed')
    }
    expect(delaysMs).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('closes after a successful probe, and starts again with the shortest delay', () => {
    const again = probe(probe(play('xxxxx'), 1000, 'failed'), 3000, 'succeeded')
    expect(again).toMatchObject({ phase: 'closed', recentFailures: [] })
    expect(play('xxxxx', again).reopensAtMs).toBe(1000)
  })

  it('lets the next call probe if the caller of the probe gave up', () => {
    const abandoned = probe(play('xxxxx'), 1000, 'abandoned')
    expect(admit(abandoned, 1000)?.phase).toBe('probing')
    expect(probe(abandoned, 1000, 'failed').reopensAtMs).toBe(3000)
  })

  it.each<Outcome>(['failed', 'succeeded', 'abandoned'])('ignores an earlier call that %s', (outcome) => {
    const open = play('xxxxx')
    const probing = admit(open, 1000) ?? open
    const closed = probe(open, 1000, 'succeeded')
    for (const breaker of [open, probing, closed])
      expect(record(breaker, { generation: 0, outcome }, 1000)).toBe(breaker)
  })
})

it('never blocks callers for more than a minute and never admits two probes, whatever happens', () => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 70_000 }),
    outcome: fc.constantFrom<Outcome>('failed', 'failed', 'succeeded', 'abandoned'),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined, freq: 10 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      let breaker = closedBreaker
      let nowMs = 0
      for (const { waitMs, outcome, retryAfterMs } of steps) {
        nowMs += waitMs
        const admitted = admit(breaker, nowMs)
        expect(admitted === undefined).toBe(breaker.phase === 'open' && nowMs < breaker.reopensAtMs)
        if (admitted === undefined) continue
        expect(admit(admitted, nowMs + 1e9) === undefined).toBe(admitted.phase === 'probing')
        breaker = record(admitted, { generation: admitted.generation, outcome, retryAfterMs }, nowMs)
        expect(breaker.phase).not.toBe('probing')
        expect(breaker.reopensAtMs - nowMs).toBeLessThanOrEqual(60_000)
        expect(breaker.recentFailures.length).toBeLessThanOrEqual(20)
      }
    }),
  )
})

const fails = (error: unknown) => () => Promise.reject(error)
const down = () => fails(new EmbeddingError('timeout', 'query_timeout'))

async function failTimes(provider: EmbeddingProvider, count: number, expected: object): Promise<void> {
  for (let i = 0; i < count; i++) await expect(provider.embed(['text'], 'query')).rejects.toMatchObject(expected)
}

describe('withBreaker', () => {
  const answer: EmbeddedTexts = { vectors: [Float32Array.of(1, 0)], tokens: 3 }

  /** A provider whose every call goes through `answerNext`, which the test replaces. */
  function setUp() {
    const calls: string[] = []
    const world = { nowMs: 0, calls, answerNext: async (): Promise<EmbeddedTexts> => answer }
    const inner: EmbeddingProvider = {
      id: 'scripted/one',
      get dims() {
        return calls.length === 0 ? undefined : 2
      },
      calibration: plainCosines,
      isMeanOfWords: false,
      maxTokens: undefined,
      maxInputChars: 1234,
      batchSize: 7,
      async embed(texts) {
        calls.push(texts.join())
        return world.answerNext()
      },
    }
    return { world, provider: withBreaker(inner, { now: () => world.nowMs }) }
  }

  it('has the properties of its provider', async () => {
    const { provider } = setUp()
    expect(provider).toMatchObject({ id: 'scripted/one', maxInputChars: 1234, batchSize: 7 })
    expect(provider.dims).toBeUndefined()
    await expect(provider.embed(['text'], 'document')).resolves.toBe(answer)
    expect(provider.dims).toBe(2)
  })

  it('fails at once while open, says for how long, and recovers by itself', async () => {
    const { world, provider } = setUp()
    world.answerNext = down()
    await failTimes(provider, 5, { reason: 'timeout' })
    world.nowMs = 400
    await failTimes(provider, 3, { reason: 'unavailable', code: 'breaker_open', retryAfterMs: 600 })
    expect(world.calls).toHaveLength(5)
    world.nowMs = 1000
    world.answerNext = async () => answer
    await expect(provider.embed(['text'], 'query')).resolves.toBe(answer)
    await expect(provider.embed(['text'], 'query')).resolves.toBe(answer)
  })

  it('rejects other calls during its probe', async () => {
    const { world, provider } = setUp()
    world.answerNext = down()
    await failTimes(provider, 5, { reason: 'timeout' })
    world.nowMs = 1000
    const probeAnswer = Promise.withResolvers<EmbeddedTexts>()
    world.answerNext = () => probeAnswer.promise
    const probing = provider.embed(['probe'], 'query')
    await failTimes(provider, 1, { code: 'breaker_open', retryAfterMs: 1000 })
    probeAnswer.resolve(answer)
    await expect(probing).resolves.toBe(answer)
    expect(world.calls).toHaveLength(6)
  })

  it.each([
    ['texts that the model rejects', new EmbeddingError('refused', 'http_400')],
    ['texts that it fails on while it accepts others', new EmbeddingError('unclear', 'http_500')],
    ['callers that give up', new DOMException('given up', 'AbortError')],
  ])('stays closed after %s', async (_, error) => {
    const { world, provider } = setUp()
    world.answerNext = fails(error)
    await failTimes(provider, 30, { message: error.message })
    expect(world.calls).toHaveLength(30)
  })

  it('does not treat an empty list as a probe', async () => {
    const { world, provider } = setUp()
    world.answerNext = down()
    await failTimes(provider, 5, { reason: 'timeout' })
    world.nowMs = 1000
    world.answerNext = async () => ({ vectors: [], tokens: 0 })
    await expect(provider.embed([], 'document')).resolves.toHaveProperty('tokens', 0)
    world.answerNext = down()
    await failTimes(provider, 1, { reason: 'timeout' })
    await failTimes(provider, 1, { code: 'breaker_open', retryAfterMs: 2000 })
  })
})
