/** After so many calls in a row without an answer, nobody is asked for a while: an agent must not wait for each. */
const failuresToOpen = 2
const openMs = 30_000

/** A fetch that fails at once while the other side is known to be away. Any answer closes it again. */
export function withBreaker(fetch: typeof globalThis.fetch, now: () => number): typeof globalThis.fetch {
  let failures = 0
  let openUntil = 0
  return async (target, init) => {
    if (now() < openUntil) throw new TypeError('no answer lately')
    try {
      const response = await fetch(target, init)
      failures = 0
      return response
    } catch (error) {
      failures++
      if (failures >= failuresToOpen) openUntil = now() + openMs
      throw error
    }
  }
}
