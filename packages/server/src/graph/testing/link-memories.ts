import { expect } from 'vitest'
import type { TestAgent } from '../../../test/scenarios.ts'

export async function link(agent: TestAgent, sourceId: string, targetId: string, over: Record<string, unknown> = {}) {
  const ends = { sourceType: 'memory', sourceId, targetType: 'memory', targetId, relationType: 'references', ...over }
  const { status, text } = await agent.call('add-link', ends)
  expect([201, text]).toEqual([status, text])
}

/** A chain: the first memory links to the second, and so on. */
export async function writeChain(agent: TestAgent, contents: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const content of contents) ids.push(await agent.write(content))
  for (let n = 1; n < ids.length; n++) await link(agent, ids[n - 1] ?? '', ids[n] ?? '')
  return ids
}
