/** After so many calls in a row without an answer, nobody is asked for a while: an agent must not wait for each. */
const failuresToOpen = 2
const openMs = 30_000
/** Whoever cancels a call sooner than this says nothing about the other side. */
const patienceMs = 5_000

/** A fetch that fails at once while the other side is known to be away. Any answer closes it again. */
export function withBreaker(fetch: typeof globalThis.fetch, now: () => number): typeof globalThis.fetch {
  let failures = 0
  let openUntil = 0
  return async (target, init) => {
    const begin = now()
    if (begin < openUntil) throw new TypeError('no answer lately')
    try {
      const response = await fetch(target, init)
      failures = 0
      return response
    } catch (error) {
      const isCancelled = init?.signal?.aborted === true && now() - begin < patienceMs
      if (!isCancelled && ++failures >= failuresToOpen) openUntil = now() + openMs
      throw error
    }
  }
}
