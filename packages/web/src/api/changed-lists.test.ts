import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { routes } from './operations.ts'
import { applyChanges } from './changed-lists.ts'
import { changeTypes, outdatedBy } from '../generated/web-operations.ts'

const reading = Object.entries(routes)
  .filter(([, { method }]) => method === 'GET')
  .map(([name]) => name)

it('knows for each list what it is made of', () => {
  expect(outdatedBy['list-memories']).toEqual(['memories', 'links'])
  expect(outdatedBy['list-review']).toEqual(['memories', 'links', 'agents'])
  expect(outdatedBy['list-webhook-deliveries']).toContain('webhooks')
  expect(outdatedBy['browse-vaults']).toContain('memories')
  expect(outdatedBy['read-graph']).toContain('links')
})

it('has what a start page or a log tells refreshed by everything', () => {
  for (const name of ['read-overview', 'list-activity']) expect(outdatedBy[name]).toEqual(changeTypes)
})

it('leaves alone what somebody asked for once', () => {
  for (const name of ['preview-search', 'preview-context', 'suggest-notes']) expect(outdatedBy[name]).toBeUndefined()
})

it('tells news of every type to some list', () => {
  const told = new Set(
    reading
      .map((name) => outdatedBy[name] ?? [])
      .filter((types) => types.length < changeTypes.length)
      .flat(),
  )
  expect([...changeTypes].filter((type) => !told.has(type))).toEqual([])
})

/** A list on the screen, of which the test answers each call itself. */
function show(client: QueryClient, name: string, meta: Record<string, unknown> = {}) {
  const answers: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((answer) => answers.push(answer))
  const observer = new QueryObserver(client, { queryKey: [name, 'vault'], queryFn, meta })
  observer.subscribe(() => undefined)
  return { answers, observer }
}

it('asks once for all that changed meanwhile, and not for what is not live', async () => {
  const client = new QueryClient()
  const memories = show(client, 'list-memories')
  const duplicates = show(client, 'list-review', { isLive: false })
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

it('asks again for a first answer that was on its way when something changed', async () => {
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
