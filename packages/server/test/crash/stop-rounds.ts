// Stops a server under load, and counts what happened to each request.

import { Agent as HttpAgent, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { query } from './raw-store.ts'
import { startServer, type Account, type RunningServer, type Site } from './server-process.ts'

export interface Stopped {
  /** Requests that were sent, and their answers. */
  sent: number
  answered: number
  /** What else happened, in words. */
  failures: string[]
  /** Memories that exist without an answer, or the other way round. */
  unexplained: number
}

const connections = 16

/**
 * Sends writes on 16 keep-alive connections, stops the server after so many answers, and goes on until the server accepts no connection.
 * A client may find the port closed: then it hasn't sent anything.
 */
export async function stopUnderLoad(site: Site, { agentKey }: Account, afterAnswers: number): Promise<Stopped> {
  const before = await countMemories(site)
  const server = await startServer(site)
  const agent = new HttpAgent({ keepAlive: true, maxSockets: connections })
  onTestFinished(() => agent.destroy())
  const stopped: Stopped = { sent: 0, answered: 0, failures: [], unexplained: 0 }
  let exited: Promise<unknown> | undefined
  const client = async () => {
    for (;;) {
      const outcome = await write(server, agentKey, agent)
      if (outcome === 'closed') return
      stopped.sent++
      if (outcome === 201) stopped.answered++
      else stopped.failures.push(String(outcome))
      if (stopped.sent >= afterAnswers) exited ??= server.kill('SIGTERM')
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  await exited
  stopped.unexplained = Math.abs((await countMemories(site)) - before - stopped.answered)
  return stopped
}

async function countMemories({ store }: Site): Promise<number> {
  const [row] = await query(store, 'select count(*) as "count" from "memories"')
  return Number(row?.['count'])
}

let written = 0

/** The status of the answer, `closed` if the port was closed, or the error. */
function write({ url }: RunningServer, key: string, agent: HttpAgent): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(`${url}/api/agent/write-memory`, {
      method: 'POST',
      agent,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    })
    sent.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'closed' : `${error.code} ${error.message}`),
    )
    sent.once('response', (response) => {
      response.once('error', (error) => resolve(`answer cut off: ${error.message}`))
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.end(JSON.stringify({ content: `Ferry ${++written} has left.` }))
  })
}
