import { ConnectionError, HoldfastError, type CallOptions, type Client, type OperationName } from '@holdfast/client'

/** After this many calls in a row without an answer, calls fail at once for a while, so agents do not wait for each. */
const failuresToOpen = 2
const openMs = 30_000
/** A call that is cancelled sooner does not count as a failure. */
const minCancelledMs = 5_000

type Fetch = typeof globalThis.fetch

/**
 * Wraps a client so its calls fail at once while the server is down. It counts calls, not attempts, so a call that succeeds on
 * a retry is no failure. Any answer closes the breaker. It counts only calls through `call`, which this package uses.
 */
export function withBreaker(connect: (guard: (fetch: Fetch) => Fetch) => Client, now: () => number): Client {
  let failures = 0
  let openUntil = 0
  const isOpen = () => now() < openUntil

  const client = connect((fetch) => async (target, init) => {
    if (isOpen()) throw new TypeError('the server did not answer recently')
    return fetch(target, init)
  })

  function recordFailure(error: unknown, begin: number): void {
    if (error instanceof HoldfastError && !(error instanceof ConnectionError)) failures = 0
    else if (error instanceof ConnectionError || now() - begin >= minCancelledMs) failures++
    if (failures >= failuresToOpen) openUntil = now() + openMs
  }

  const call = (name: OperationName, input: object = {}, options: CallOptions = {}) => {
    const begin = now()
    // A retry would be rejected here too.
    if (isOpen()) return client.call(name, input, { ...options, maxRetries: 0 })
    const answer = client.call(name, input, options)
    answer.withResponse().then(
      () => (failures = 0),
      (error: unknown) => recordFailure(error, begin),
    )
    return answer
  }
  return { ...client, call: call as Client['call'] }
}
