import { Agent as HttpAgent, request } from 'node:http'
import { onTestFinished } from 'vitest'
import type { RunningServer } from './server-process.ts'

export interface OpenRequest {
  finish(): void
  status: Promise<number>
}

/** A write whose body has begun to arrive; its connection is kept alive for more. */
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
  // Whoever does not wait for the answer does not mind that there is none.
  status.catch(() => {})
  sent.write('{"content":"in ')
  return { finish: () => void sent.end('flight"}'), status }
}
