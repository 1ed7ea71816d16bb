import type { AgentName, SeedMemory } from '../seed-shapes.ts'

type More = Pick<
  SeedMemory,
  'key' | 'supersedes' | 'refines' | 'contradicts' | 'label' | 'why' | 'from' | 'expiresInDays'
>

export function say(
  day: number,
  agent: AgentName,
  memoryType: SeedMemory['memoryType'],
  importance: number,
  confidence: number,
  content: string,
  entities: string[],
  more: More = {},
): SeedMemory {
  return { day, agent, memoryType, importance, confidence, content, entities, ...more }
}
