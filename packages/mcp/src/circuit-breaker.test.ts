import { expect, it } from 'vitest'
import { withBreaker } from './circuit-breaker.ts'

it('asks again after a while, and closes with the first answer', async () => {
  let now = 0
  let isAway = true
  let asked = 0
  const fetch = withBreaker(
    async () => {
      asked++
      if (isAway) throw new TypeError('away')
      return new Response('here', { status: 503 })
    },
    () => now,
  )
  const ask = () =>
    fetch('http://holdfast.invalid').then(
      ({ status }) => status,
      (error: unknown) => (error as Error).message,
    )
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
    'away',
    'away',
    'no answer lately',
    'no answer lately',
  ])
  expect(asked).toBe(2)
  now = 30_001
  expect([await ask(), await ask()]).toEqual(['away', 'no answer lately'])
  now = 70_000
  isAway = false
  expect([await ask(), await ask()]).toEqual([503, 503])
  isAway = true
  expect([await ask(), await ask(), await ask()]).toEqual(['away', 'away', 'no answer lately'])
})

it('counts who waited in vain, not who was cancelled', async () => {
  let now = 0
  let waitedMs = 10
  const fetch = withBreaker(
    async () => {
      now += waitedMs
      throw new DOMException('aborted', 'AbortError')
    },
    () => now,
  )
  const ask = () =>
    fetch('http://holdfast.invalid', { signal: AbortSignal.abort() }).catch((error: Error) => error.message)
  expect([await ask(), await ask(), await ask()]).toEqual(['aborted', 'aborted', 'aborted'])
  waitedMs = 15_000
  expect([await ask(), await ask(), await ask()]).toEqual(['aborted', 'aborted', 'no answer lately'])
})
