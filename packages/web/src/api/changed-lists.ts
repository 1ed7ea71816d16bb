import type { QueryClient } from '@tanstack/react-query'
import { changeTypes, type ChangeType } from '../generated/public-operations.ts'

/** What the server says has changed: types of records, in one vault or, where it is null, in none or any. */
export interface Change {
  vaultId: string | null
  types: readonly ChangeType[]
}

/** Which answers are no longer true, by the words of operations' names. An operation without such a word counts for all. */
const byWord: Readonly<Record<string, readonly ChangeType[]>> = {
  memory: ['memories'],
  task: ['tasks'],
  note: ['notes'],
  folder: ['notes'],
  tag: ['notes'],
  backlink: ['notes', 'links', 'memories'],
  mention: ['notes'],
  link: ['links', 'notes', 'memories', 'tasks'],
  graph: ['links', 'notes', 'memories', 'tasks'],
  message: ['messages'],
  thread: ['messages'],
  document: ['documents'],
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
  usage: ['runs'],
  system: ['settings', 'account'],
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

const isTouched = (key: readonly unknown[], { vaultId, types }: Change) =>
  (vaultId === null || key[1] === null || key[1] === vaultId) &&
  typesBehind(String(key[0])).some((type) => types.includes(type))

/** Has what is on the screen asked for anew, and what is not when it next is. */
export const applyChange = (client: QueryClient, change: Change) =>
  client.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey, change) })

/** Where nobody knows what has changed. */
export const applyAll = (client: QueryClient) => applyChange(client, { vaultId: null, types: changeTypes })
