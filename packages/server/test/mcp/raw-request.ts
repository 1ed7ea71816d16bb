import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from '../app.ts'

/** Requests to the MCP endpoint that no client of ours would send. */

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

interface Sent {
  key?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: string
  method?: 'GET' | 'POST' | 'DELETE'
  path?: string
}

export const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

interface Answered {
  status: number
  headers: Record<string, unknown>
  text: string
}

const attempts = 20

/** Sends again what a busy machine has rejected. */
export async function send(test: TestApp, sent: Sent): Promise<Answered> {
  for (let attempt = 1; ; attempt++) {
    const answered = await sendOnce(test, sent)
    if (answered.status !== 503 || attempt === attempts) return answered
    await sleep(500)
  }
}

async function sendOnce({ app }: TestApp, sent: Sent): Promise<Answered> {
  const { key, headers = {}, body = initialize, raw, method = 'POST', path = '/mcp' } = sent
  const answer = await app.server.inject({
    method,
    url: path,
    headers: { ...json, ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    ...(method === 'POST' && { payload: raw ?? JSON.stringify(body) }),
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload }
}
