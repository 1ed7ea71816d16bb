import { expect } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import type { IntegrationOverrides } from '../../../test/factories.ts'
import { startAgent, type makeClock, type TestAgent } from '../../../test/scenarios.ts'

/** A proposal in Review, as far as tests look at it. */
export interface Item {
  memories: { memoryId: string; excerpt: string }[]
  changes: { field: string; before: string | null; after: string | null; isCut: boolean }[]
  proposal: {
    proposalId: string
    version: number
    isOutdated: boolean
    wholeTag: string | null
    reason: string | null
    by: { at: string }
  }
}

interface Reviewed {
  items: Item[]
  total: number
  counts: Record<string, number>
  proposed: Record<string, number>
}

/** Agents that have to ask, and the person who decides. */
export function proposing(test: () => TestApp, clock: ReturnType<typeof makeClock>) {
  const asPerson = async ({ user }: TestAgent, name: string, input: object = {}) => {
    clock.advance(1)
    return test().call(name, { vaultId: user.vaultId, ...input }, { key: user.dashboardToken })
  }
  const review = async (agent: TestAgent, kind = 'proposal', more: object = {}) => {
    const { status, body, text } = await asPerson(agent, 'list-review', { kind, ...more })
    expect([200, text]).toEqual([status, text])
    return body as unknown as Reviewed
  }
  return {
    asPerson,
    review,
    start: (over: IntegrationOverrides & { user?: TestAgent['user'] } = {}) =>
      startAgent(test(), { label: 'codex', writePolicy: { persons: 'ask', agents: 'yes' }, ...over }),
    personWrites: async (agent: TestAgent, input: object) =>
      String((await asPerson(agent, 'write-memory', input)).body.memoryId),
    only: async (agent: TestAgent): Promise<Item> => {
      const { items } = await review(agent)
      expect(items).toHaveLength(1)
      return items[0] as Item
    },
    /** A proposal is accepted as it was listed. */
    decide: (agent: TestAgent, decision: string, { proposal }: Item, more: object = {}) => {
      const wholeTag = decision === 'accept' ? proposal.wholeTag : null
      const seen = wholeTag === null ? {} : { wholeTag }
      return asPerson(agent, 'decide-review', {
        kind: 'proposal',
        ids: [proposal.proposalId],
        decision,
        ...seen,
        ...more,
      })
    },
  }
}
