import { createClient, HoldfastError } from '@holdfast/client'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { deleteIntegration } from '../../integrations/delete-integration.ts'
import { createVault } from '../../vaults/create-vault.ts'
import { deleteVault } from '../../vaults/delete-vault.ts'
import type { Caller } from '../caller.ts'
import { createAgent } from '../key-commands.ts'
import { readAnswer } from '../exit-codes.ts'
import { failed, ok, type Finding } from '../../core/finding.ts'

const madeVault = z.looseObject({ vaultId: z.uuid() })

/** Runs `work` with the key of a temporary vault. Both are always deleted afterwards. */
export async function withThrowAwayVault<T>(caller: Caller, work: (agentKey: string) => Promise<T>): Promise<T> {
  const name = `holdfast-doctor-${randomBytes(6).toString('hex')}`
  const { vaultId } = readAnswer(madeVault, await caller.call(createVault, { name }))
  try {
    const { agentKey, integrationId } = await createAgent(caller, { label: name, preset: 'read_write', vault: vaultId })
    try {
      return await work(agentKey)
    } finally {
      await caller.call(deleteIntegration, { id: integrationId })
    }
  } finally {
    await caller.call(deleteVault, { id: vaultId, name })
  }
}

const fix = 'Check the log of the server, and run `status`.'

/** Stores a memory, finds it, archives it and checks that search no longer finds it. */
export async function checkRoundTrip(url: string, key: string): Promise<Finding> {
  const client = createClient({ url, key, timeoutMs: 10_000, maxRetries: 0 })
  const word = `zq${randomBytes(5).toString('hex')}`
  const begin = performance.now()
  const isFound = async (memoryId: string) => {
    const { memories } = await client.memories.search({ query: `What is said of ${word}?` })
    return memories.some((memory) => memory.memoryId === memoryId)
  }
  try {
    const { memoryId } = await client.memories.write({ content: `The doctor remembers ${word}.` })
    if (!(await isFound(memoryId)))
      return failed('round trip', 'Search did not find a memory that was just stored.', fix)
    await client.memories.archive({ memoryId })
    if (await isFound(memoryId)) return failed('round trip', 'Search still found a memory after it was archived.', fix)
    return ok('round trip', `stored, found and archived in ${Math.round(performance.now() - begin)} ms`)
  } catch (error) {
    if (error instanceof HoldfastError) return failed('round trip', `The round trip failed: ${error.message}`, fix)
    throw error
  }
}
