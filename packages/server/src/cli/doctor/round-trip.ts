import { createClient, HoldfastError } from '@holdfast/client'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { deleteIntegration } from '../../integrations/delete-integration.ts'
import { createVault } from '../../vaults/create-vault.ts'
import { deleteVault } from '../../vaults/delete-vault.ts'
import type { Caller } from '../caller.ts'
import { createAgent } from '../key-commands.ts'
import { readAnswer } from '../exit-codes.ts'
import { failed, ok, type Finding } from '../../core/program.ts'

const madeVault = z.looseObject({ vaultId: z.uuid() })

/** Lends a key for a vault made for it; both are gone afterwards, whatever happened. */
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

const fix = 'Look into the log of the server; `status` tells more.'

/** What all the rest is for: a memory is stored, found, archived, and found no more. */
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
      return failed('round trip', 'A memory was stored, and a search did not find it.', fix)
    await client.memories.archive({ memoryId })
    if (await isFound(memoryId)) return failed('round trip', 'A memory was archived, and a search still found it.', fix)
    return ok('round trip', `stored, found and archived in ${Math.round(performance.now() - begin)} ms`)
  } catch (error) {
    if (error instanceof HoldfastError) return failed('round trip', `It failed: ${error.message}`, fix)
    throw error
  }
}
