import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'

const blockMs = 1_200

it('a request refused for pressure is answered like every other, with an id and the time to wait', async () => {
  const { app, log } = await startTestApp()
  const ask = () => app.server.inject({ method: 'GET', url: '/api/agent/info' })
  let answer = await ask()
  // The delay is averaged over five seconds, the first of which were quiet.
  for (let blocks = 0; blocks < 10 && answer.statusCode !== 503; blocks++) {
    const until = performance.now() + blockMs
    while (performance.now() < until);
    // The timer that measures the delay is late by now.
    await setTimeout(1)
    answer = await ask()
  }
  expect([answer.statusCode, answer.json()]).toEqual([503, { error: expect.stringContaining('too many requests') }])
  expect(answer.headers).toMatchObject({
    'retry-after': '1',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-service-version': expect.any(String),
    'cache-control': 'no-store',
  })
  // Busy is not dead, and nothing that somebody must mend.
  expect((await app.server.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
  const lines = log()
    .split('\n')
    .filter((line) => line.includes('request failed'))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 40, status: 503 }])
})
