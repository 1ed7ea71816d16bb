import { EmbeddingError, type EmbeddingProvider, wrapProvider } from './provider.ts'

/**
 * A circuit breaker: keeps requests away from a provider that is down, so that not every search waits for a timeout.
 *
 * closed: all calls pass · open: no calls pass until `reopensAtMs` · probing: one call tests the provider.
 */
export interface Breaker {
  phase: 'closed' | 'open' | 'probing'
  /** Increases with each opening, to ignore outcomes of earlier calls. */
  generation: number
  /** The outcomes of recent calls while closed, newest last; true means failed. */
  recentFailures: readonly boolean[]
  reopensAtMs: number
  /** How long the next opening lasts. */
  delayMs: number
}

/** `abandoned`: the caller gave up, so the provider's state is unknown. */
export type Outcome = 'succeeded' | 'failed' | 'abandoned'

const consecutiveLimit = 5
const windowSize = 20
const windowLimit = windowSize / 2
const firstDelayMs = 1000
const longestDelayMs = 60_000

export const closedBreaker: Breaker = {
  phase: 'closed',
  generation: 0,
  recentFailures: [],
  reopensAtMs: 0,
  delayMs: firstDelayMs,
}

/** The state if a call may be made now, otherwise undefined. The first call after the delay is the probe. */
export function admit(breaker: Breaker, nowMs: number): Breaker | undefined {
  if (breaker.phase === 'closed') return breaker
  if (breaker.phase === 'open' && nowMs >= breaker.reopensAtMs) return { ...breaker, phase: 'probing' }
  return undefined
}

/** The state after a call that was admitted in `generation`. Obeys the provider's Retry-After, within the limits of our own delays. */
export function record(
  breaker: Breaker,
  call: { generation: number; outcome: Outcome; retryAfterMs?: number | undefined },
  nowMs: number,
): Breaker {
  if (call.generation !== breaker.generation) return breaker
  const isProbe = breaker.phase === 'probing'
  if (call.outcome === 'abandoned') return isProbe ? { ...breaker, phase: 'open', reopensAtMs: nowMs } : breaker
  if (call.outcome === 'succeeded' && isProbe) return { ...closedBreaker, generation: breaker.generation }
  const recentFailures = [...breaker.recentFailures, call.outcome === 'failed'].slice(-windowSize)
  const mustOpen = isProbe || call.retryAfterMs !== undefined || hasTooManyFailures(recentFailures)
  return mustOpen ? open(breaker, nowMs, call.retryAfterMs) : { ...breaker, recentFailures }
}

function hasTooManyFailures(recentFailures: readonly boolean[]): boolean {
  const latest = recentFailures.slice(-consecutiveLimit)
  if (latest.length === consecutiveLimit && latest.every(Boolean)) return true
  return recentFailures.length === windowSize && recentFailures.filter(Boolean).length >= windowLimit
}

function open(breaker: Breaker, nowMs: number, retryAfterMs = 0): Breaker {
  const pauseMs = Math.min(Math.max(breaker.delayMs, retryAfterMs), longestDelayMs)
  return {
    phase: 'open',
    generation: breaker.generation + 1,
    recentFailures: [],
    reopensAtMs: nowMs + pauseMs,
    delayMs: Math.min(breaker.delayMs * 2, longestDelayMs),
  }
}

/**
 * Puts a breaker in front of a provider. While it is open, `embed` fails at once with `unavailable` and a `retryAfterMs`. `now` is a
 * monotonic clock in milliseconds.
 */
export function withBreaker(
  provider: EmbeddingProvider,
  { now } = { now: () => performance.now() },
): EmbeddingProvider {
  let breaker = closedBreaker
  let failure: string | undefined
  return wrapProvider(provider, {
    get failure() {
      return failure
    },
    async embed(texts, kind, signal) {
      // Without texts there is no request, which must not count as a successful probe.
      if (texts.length === 0) return provider.embed(texts, kind, signal)
      const admitted = admit(breaker, now())
      if (admitted === undefined) throw new EmbeddingError('unavailable', 'breaker_open', waitMs(breaker, now()))
      breaker = admitted
      const { generation } = admitted
      try {
        const result = await provider.embed(texts, kind, signal)
        breaker = record(breaker, { generation, outcome: 'succeeded' }, now())
        failure = undefined
        return result
      } catch (error) {
        breaker = record(breaker, { generation, ...outcomeOf(error) }, now())
        if (error instanceof EmbeddingError) failure = isOfOneText(error) ? undefined : error.code
        throw error
      }
    },
  })
}

// During a probe the delay has passed already, so the shortest delay is the best guess.
const waitMs = ({ phase, reopensAtMs }: Breaker, nowMs: number): number =>
  phase === 'open' ? reopensAtMs - nowMs : firstDelayMs

const isOfOneText = ({ reason }: EmbeddingError): boolean => reason === 'refused' || reason === 'unclear'

// A refusal is an answer. One text that the model refuses must not block everyone's searches.
function outcomeOf(error: unknown): { outcome: Outcome; retryAfterMs?: number | undefined } {
  if (!(error instanceof EmbeddingError)) return { outcome: 'abandoned' }
  if (isOfOneText(error)) return { outcome: 'succeeded' }
  return { outcome: 'failed', retryAfterMs: error.retryAfterMs }
}
