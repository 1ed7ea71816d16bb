import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { routes } from './operations.ts'
import { applyChanges } from './changed-lists.ts'
import { changeTypes, outdatedBy } from '../generated/web-operations.ts'

const reading = Object.entries(routes)
  .filter(([, { method }]) => method === 'GET')
  .map(([name]) => name)

it('knows which record types each list depends on', () => {
  expect(outdatedBy['list-memories']).toEqual(['memories', 'links'])
  expect(outdatedBy['list-review']).toEqual(['memories', 'notes', 'links', 'agents'])
  expect(outdatedBy['list-webhook-deliveries']).toContain('webhooks')
  expect(outdatedBy['list-vaults']).toContain('memories')
  expect(outdatedBy['read-graph']).toContain('links')
})

it('refreshes the home page and the activity log on every change', () => {
  for (const name of ['read-overview', 'list-activity']) expect(outdatedBy[name]).toEqual(changeTypes)
})

it('does not refresh one-off queries', () => {
  for (const name of ['preview-search', 'preview-context', 'suggest-notes']) expect(outdatedBy[name]).toBeUndefined()
})

it('refreshes at least one list for every record type', () => {
  const refreshed = new Set(
    reading
      .map((name) => outdatedBy[name] ?? [])
      .filter((types) => types.length < changeTypes.length)
      .flat(),
  )
  expect([...changeTypes].filter((type) => !refreshed.has(type))).toEqual([])
})

/** A list on screen whose calls the test answers itself. */
function show(client: QueryClient, name: string, meta: Record<string, unknown> = {}) {
  const answers: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((answer) => answers.push(answer))
  const observer = new QueryObserver(client, { queryKey: [name, 'vault'], queryFn, meta })
  observer.subscribe(() => undefined)
  return { answers, observer }
}

it('refetches once for several changes, and skips queries that read only what did not change', async () => {
  const client = new QueryClient()
  const memories = show(client, 'list-memories')
  const duplicates = show(client, 'list-review', { outdatedBy: ['agents'] })
  for (const { answers, observer } of [memories, duplicates]) {
    answers[0]?.('old')
    await expect.poll(() => observer.getCurrentResult().data).toBe('old')
  }
  void applyChanges(client, [
    { vaultId: 'vault', types: ['memories'] },
    { vaultId: 'vault', types: ['links'] },
    { vaultId: 'another', types: ['memories'] },
  ])
  expect([memories.answers.length, duplicates.answers.length]).toEqual([2, 1])
  client.clear()
})

it('refetches when something changed during the first fetch', async () => {
  const client = new QueryClient()
  const { answers, observer } = show(client, 'list-memories')
  void applyChanges(client, [{ vaultId: null, types: ['memories'] }])
  expect(answers).toHaveLength(1)
  answers[0]?.('from before')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('from after')
  await expect.poll(() => observer.getCurrentResult().data).toBe('from after')
  client.clear()
})
