import type { Query, QueryClient } from '@tanstack/react-query'
import { changeTypes, outdatedBy, type ChangeType } from '../generated/web-operations.ts'

/** What the server says has changed: types of records, in one vault or, where it is null, in none or any. */
export interface Change {
  vaultId: string | null
  types: readonly ChangeType[]
}

const isTouched = ({ queryKey: [name, vault], meta }: Query, changes: readonly Change[]) =>
  meta?.['isLive'] !== false &&
  changes.some(
    ({ vaultId, types }) =>
      (vaultId === null || vault === null || vault === vaultId) &&
      outdatedBy[String(name)]?.some((type) => types.includes(type)) === true,
  )

/** Has what is on the screen asked for anew, and what is not when it next is. Queries whose `meta` says `isLive: false` stay. */
export async function applyChanges(client: QueryClient, changes: readonly Change[]): Promise<void> {
  const due = client.getQueryCache().findAll({ predicate: (query) => isTouched(query, changes) })
  // The first answer of a query may be on its way since before the change, and is not asked for again meanwhile.
  const onTheirWay = due.filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching')
  await client.invalidateQueries({ predicate: (query) => due.includes(query) })
  if (onTheirWay.length > 0) await client.invalidateQueries({ predicate: (query) => onTheirWay.includes(query) })
}

/** Where nobody knows what has changed. */
export const applyAll = (client: QueryClient) => applyChanges(client, [{ vaultId: null, types: changeTypes }])
