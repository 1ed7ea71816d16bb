import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { keepBusy } from './testing/keep-busy.ts'

const blockMs = 900

it('an overloaded server rejects requests within seconds, in its usual format, and accepts them again once it has time', async () => {
  const { app, log } = await startTestApp()
  const ask = () => app.server.inject({ method: 'GET', url: '/api/agent/info' })
  const began = performance.now()
  let answer = await ask()
  let blockedMs = 0
  while (answer.statusCode !== 503 && performance.now() - began < 15_000) {
    keepBusy(blockMs)
    blockedMs += blockMs
    // By now the timer that measures stalls is late.
    await setTimeout(1)
    answer = await ask()
  }
  expect([answer.statusCode, answer.json()]).toEqual([503, { error: expect.stringContaining('too many requests') }])
  expect(blockedMs).toBeLessThanOrEqual(3 * blockMs)
  expect(answer.headers).toMatchObject({
    'retry-after': '2',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-service-version': expect.any(String),
    'cache-control': 'no-store',
  })
  // A busy server is still alive, and nothing needs to be fixed.
  expect((await app.server.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
  expect((await app.server.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(200)
  const lines = log()
    .split('\n')
    .filter((line) => line.includes('"code":"too_many_requests"'))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 40, status: 503, count: 1 }])

  const isFree = async () => (await ask()).statusCode !== 503
  await expect.poll(isFree, { timeout: 2_500, interval: 100 }).toBe(true)
})
