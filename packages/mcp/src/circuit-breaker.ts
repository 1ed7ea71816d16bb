import { ConnectionError, HoldfastError, type CallOptions, type Client, type OperationName } from '@holdfast/client'

/** After so many calls in a row without an answer, nobody is asked for a while: an agent must not wait for each. */
const failuresToOpen = 2
const openMs = 30_000
/** Whoever cancels a call sooner than this says nothing about the other side. */
const patienceMs = 5_000

type Fetch = typeof globalThis.fetch

/**
 * A client whose calls fail at once while the other side is known to be away. Calls are counted, not their attempts: one
 * that comes through when it is tried again was answered. Any answer closes the breaker again. Counted is what goes through
 * `call`, by an operation's name, as everything here does.
 */
export function withBreaker(connect: (guard: (fetch: Fetch) => Fetch) => Client, now: () => number): Client {
  let failures = 0
  let openUntil = 0
  const isOpen = () => now() < openUntil

  const client = connect((fetch) => async (target, init) => {
    if (isOpen()) throw new TypeError('no answer lately')
    return fetch(target, init)
  })

  function note(error: unknown, begin: number): void {
    if (error instanceof HoldfastError && !(error instanceof ConnectionError)) failures = 0
    else if (error instanceof ConnectionError || now() - begin >= patienceMs) failures++
    if (failures >= failuresToOpen) openUntil = now() + openMs
  }

  const call = (name: OperationName, input: object = {}, options: CallOptions = {}) => {
    const begin = now()
    // Its first attempt is refused here, and a second one would be as well.
    if (isOpen()) return client.call(name, input, { ...options, maxRetries: 0 })
    const answer = client.call(name, input, options)
    answer.withResponse().then(
      () => (failures = 0),
      (error: unknown) => note(error, begin),
    )
    return answer
  }
  return { ...client, call: call as Client['call'] }
}
