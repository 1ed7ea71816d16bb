import type { Query, QueryClient } from '@tanstack/react-query'
import { changeTypes, outdatedBy, type ChangeType } from '../generated/web-operations.ts'

/** Record types that changed in one vault. If `vaultId` is null, they changed outside vaults or in any of them. */
export interface Change {
  vaultId: string | null
  types: readonly ChangeType[]
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What makes it outdated, if it reads only a part of what its operation can. */
      outdatedBy?: readonly ChangeType[]
    }
  }
}

function isTouched({ queryKey: [name, vault], meta }: Query, changes: readonly Change[]): boolean {
  const reads = meta?.outdatedBy ?? outdatedBy[String(name)] ?? []
  return changes.some(
    ({ vaultId, types }) =>
      (vaultId === null || vault === null || vault === vaultId) && reads.some((type) => types.includes(type)),
  )
}

/** Refetches the affected queries on screen now, and others when they are next shown. */
export async function applyChanges(client: QueryClient, changes: readonly Change[]): Promise<void> {
  const due = client.getQueryCache().findAll({ predicate: (query) => isTouched(query, changes) })
  // A query's first fetch may have started before the change, and TanStack Query doesn't restart it. Refetch once it is done.
  const onTheirWay = due.filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
  await client.invalidateQueries({ predicate: (query) => due.includes(query) })
  if (onTheirWay.length > 0) await client.invalidateQueries({ predicate: (query) => onTheirWay.includes(query) })
}

/** For when it is unknown what has changed. */
export const applyAll = (client: QueryClient) => applyChanges(client, [{ vaultId: null, types: changeTypes }])
