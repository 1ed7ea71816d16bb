import type { z } from 'zod'
import { integrationList, listIntegrations } from '../integrations/list-integrations.ts'
import type { keyRecord } from '../integrations/key.ts'
import { keyList, listKeys as listOwnKeys } from '../integrations/list-keys.ts'
import { browseVaults, vaultList } from '../vaults/browse-vaults.ts'
import type { Operation } from '../operation/operation.ts'
import type { Caller } from './caller.ts'
import { readAnswer } from './read-answer.ts'

/** A key with what its integration lets it do. */
export type ListedKey = z.output<typeof keyRecord> & {
  preset: string
  /** The only vaults it may use; null: all. `preset` where it has its own there. */
  vaults: { vaultId: string; name: string; preset: string | null }[] | null
}

export async function listKeys(call: Caller['call'], actAs: string | undefined): Promise<ListedKey[]> {
  const page = (operation: Operation, offset: number) => call(operation, { limit: 100, offset }, { actAs })
  const keys = await listAll(async (offset) => {
    const { keys: rows, hasMore } = readAnswer(keyList, await page(listOwnKeys, offset))
    return { rows, hasMore }
  })
  const integrations = await listAll(async (offset) => {
    const { integrations: rows, hasMore } = readAnswer(integrationList, await page(listIntegrations, offset))
    return { rows, hasMore }
  })
  const vaults = await listAll(async (offset) => {
    const { vaults: rows, hasMore } = readAnswer(vaultList, await page(browseVaults, offset))
    return { rows, hasMore }
  })
  const names = new Map(vaults.map(({ vaultId, name }) => [vaultId, name]))
  const byId = new Map(integrations.map((integration) => [integration.id, integration]))
  return keys.flatMap((key) => {
    const integration = byId.get(key.integrationId)
    // Deleted between the two calls, and its keys with it.
    if (integration === undefined) return []
    const { preset, restrictToVault } = integration
    const own = integration.vaults.map((grant) => ({ ...grant, name: names.get(grant.vaultId) ?? grant.vaultId }))
    return { ...key, preset, vaults: restrictToVault ? own : null }
  })
}

async function listAll<T>(readPage: (offset: number) => Promise<{ rows: T[]; hasMore: boolean }>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { rows, hasMore } = await readPage(all.length)
    all.push(...rows)
    if (!hasMore) return all
  }
}
