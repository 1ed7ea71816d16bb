import type { Query, QueryClient } from '@tanstack/react-query'
import { changeTypes, type ChangeType } from '../generated/public-operations.ts'

/** What the server says has changed: types of records, in one vault or, where it is null, in none or any. */
export interface Change {
  vaultId: string | null
  types: readonly ChangeType[]
}

/** Which answers are no longer true, by the words of operations' names. An operation without such a word counts for all. */
const byWord: Readonly<Record<string, readonly ChangeType[]>> = {
  // One of them is told with its links.
  memory: ['memories', 'links'],
  task: ['tasks', 'links'],
  note: ['notes', 'links'],
  folder: ['notes'],
  tag: ['notes'],
  backlink: ['notes', 'links', 'memories'],
  mention: ['notes'],
  link: ['links', 'notes', 'memories', 'tasks'],
  graph: ['links', 'notes', 'memories', 'tasks'],
  message: ['messages'],
  thread: ['messages'],
  document: ['documents'],
  review: ['memories', 'links', 'agents'],
  run: ['runs', 'memories'],
  agent: ['agents', 'runs'],
  integration: ['agents'],
  key: ['agents'],
  vault: ['vaults', 'memories', 'notes', 'tasks'],
  settings: ['settings'],
  webhook: ['webhooks', 'messages'],
  delivery: ['webhooks'],
  session: ['account'],
  totp: ['account'],
  passkey: ['account'],
  usage: ['runs'],
  system: ['settings', 'account'],
  backup: ['settings'],
}

/** Asked for once by somebody who then reads the answer: they ask anew by themselves. */
const once = new Set(['explain', 'preview', 'suggest', 'export', 'find', 'connect', 'setup'])

const wordsOf = (operation: string) =>
  operation.split('-').map((word) => (word === 'settings' ? word : word.replace(/ies$/, 'y').replace(/s$/, '')))

/** Nothing for operations whose answers stay as they are while they are read. */
export function typesBehind(operation: string): readonly ChangeType[] {
  const words = wordsOf(operation)
  if (words.some((word) => once.has(word))) return []
  const known = words.flatMap((word) => byWord[word] ?? [])
  return known.length === 0 ? changeTypes : known
}

const isTouched = ({ queryKey: [name, vault], meta }: Query, changes: readonly Change[]) =>
  meta?.['isLive'] !== false &&
  changes.some(
    ({ vaultId, types }) =>
      (vaultId === null || vault === null || vault === vaultId) &&
      typesBehind(String(name)).some((type) => types.includes(type)),
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
