import { Agent as HttpAgent, request } from 'node:http'
import { onTestFinished } from 'vitest'
import type { RunningServer } from './server-process.ts'

export interface OpenRequest {
  finish(): void
  status: Promise<number>
}

/** A write whose body has begun to arrive, on a connection that is kept alive for more. */
export function beginWrite({ url }: RunningServer, key: string): OpenRequest {
  const agent = new HttpAgent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const sent = request(`${url}/api/agent/write-memory`, {
    method: 'POST',
    agent,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  })
  const status = new Promise<number>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
  })
  // A caller that doesn't wait for the answer ignores its absence.
  status.catch(() => {})
  sent.write('{"content":"in ')
  return { finish: () => void sent.end('flight"}'), status }
}
