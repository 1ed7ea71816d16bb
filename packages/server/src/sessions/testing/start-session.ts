import { expect } from 'vitest'
import type { TestAgent } from '../../../test/scenarios.ts'

interface Entry {
  memoryId?: string
  taskId?: string
  summary?: string
  title?: string
  content?: string
  clipped?: boolean
}

interface Started {
  sessionContext: {
    mode: string
    vault: { vaultId: string; name: string | null }
    episodic: Entry[]
    facts: Entry[]
    tasks: Entry[]
    constraints: Entry[]
  }
  vaults: { name: string }[]
  recentAgents: { agentId: string }[]
  documents: { documentType: string; content: string; truncated?: boolean }[]
  pendingMessages: Entry[]
  pendingCount: number
  changesSinceLastSession: Record<string, unknown> | null
  agentRunId: string | null
  budget: { maxResponseChars: number; usedChars: number; omitted: Record<string, number> }
  degraded: { part: string }[]
}

/** Fails if the answer is degraded, unless the test expects it. */
export async function start(
  agent: TestAgent,
  body: Record<string, unknown> = {},
  degraded: unknown = [],
): Promise<Started> {
  const { status, text } = await agent.call('session-start', body)
  expect([status, text]).toEqual([200, text])
  const answer = JSON.parse(text) as Started
  expect(answer.degraded).toEqual(degraded)
  expect(answer.budget.usedChars).toBe(text.length)
  expect(text.length).toBeLessThanOrEqual(answer.budget.maxResponseChars)
  return answer
}

export const said = (entries: readonly Entry[]) =>
  entries.map(({ summary, title, content }) => summary ?? title ?? content ?? '')
