import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { agentOf, type Agent } from './agent.ts'
import { setUp, siteFor, startServer } from './server-process.ts'

const rounds = 2
const items = 50

async function countMemories(agent: Agent, vaultId: string): Promise<number> {
  const { body } = await agent('list-vaults', {})
  const vaults = body['vaults'] as { vaultId: string; memoryCount: number }[]
  return vaults.find((vault) => vault.vaultId === vaultId)?.memoryCount ?? -1
}

eachDialect('a checkpoint during which the server dies', (dialect) => {
  it('is completed by the same call again, and stores nothing twice', { timeout: 120_000 }, async () => {
    const site = siteFor(await dialect.freshUrl())
    const { agentKey, vaultId } = await setUp(site)
    let server = await startServer(site)
    for (let round = 1; round <= rounds; round++) {
      const memories = Array.from({ length: items }, (_, n) => ({ content: `round ${round} item ${n}` }))
      const body = { memories, sessionSummary: `round ${round}`, agentRunId: `run ${round}`, dedup: false }
      const interrupted = agentOf(server, agentKey)('context-checkpoint', body).catch(() => undefined)
      await sleep(randomInt(5, 80))
      await server.kill('SIGKILL')
      await interrupted
      server = await startServer(site)
      const agent = agentOf(server, agentKey)
      const { body: answer } = await agent('context-checkpoint', body)
      expect(answer).toMatchObject({ total: items, created: items, skipped: 0, failed: 0 })
      expect(await countMemories(agent, vaultId)).toBe(round * (items + 1))
    }
  })
})
