// An error at each single call that writes to the database: what was acknowledged must survive, and the service must recover.

import { expect } from 'vitest'
import { agentOf, readAll, type Agent } from './agent.ts'
import type { FailingDisk } from './failing-disk.ts'
import { startServer, type Account } from './server-process.ts'
import { checkRows } from './write-storm.ts'

const clients = 4
const writesEach = 25

export interface Outcome {
  injected: number
  acknowledged: number
  /** Servers that stopped by themselves. */
  stopped: number
}

/** Starts a server whose call with this number fails, writes, and starts again without the error. */
export async function failAt(
  disk: FailingDisk,
  account: Account,
  call: number,
  kept: Map<string, string>,
): Promise<Outcome> {
  const outcome = { injected: 0, acknowledged: 0, stopped: 0 }
  const failing = disk.failingAt(call)
  // A server may refuse to start on such a disk.
  const server = await startServer(failing).catch(() => undefined)
  if (server !== undefined) {
    const agent = agentOf(server, account.agentKey)
    const before = kept.size
    await Promise.all(Array.from({ length: clients }, (_, client) => write(agent, `${call}-${client}`, kept)))
    outcome.acknowledged = kept.size - before
    const { code } = await server.kill('SIGTERM')
    if (code !== 0) outcome.stopped++
  }
  if (disk.hasFailed()) outcome.injected++
  await checkRows(disk.site.store, account.vaultId)
  const recovered = await startServer(disk.site)
  const agent = agentOf(recovered, account.agentKey)
  const { memories, notFound } = await readAll(agent, [...kept.keys()])
  expect([call, notFound]).toEqual([call, []])
  for (const { memoryId, content } of memories) expect(content).toBe(kept.get(memoryId))
  expect((await agent('write-memory', { content: 'after the repair' })).status).toBe(201)
  await recovered.kill('SIGTERM')
  return outcome
}

/** Every answer is a success, or an error that says to try again; a server that stops answers nothing. */
async function write(agent: Agent, name: string, kept: Map<string, string>): Promise<void> {
  for (let number = 0; number < writesEach; number++) {
    const content = `memory ${name}-${number}`
    const reply = await agent('write-memory', { content, externalWriteId: content }).catch(() => undefined)
    if (reply === undefined) return
    expect([201, 503], JSON.stringify(reply.body)).toContain(reply.status)
    if (reply.status === 201) kept.set(String(reply.body['memoryId']), content)
  }
}
