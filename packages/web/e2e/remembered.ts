import type { Dashboard } from './dashboard.ts'

/** Memories of all types, with links, from the agents in the office of a small ferry line. */
const memories = [
  ['preference', 4, 5, 'Ada prefers tabs over spaces in Go code, and short functions.', ['Ada', 'Go'], 'claude-code'],
  ['constraint', 5, 5, 'Nothing is released on a Friday after noon.', ['release'], 'claude-code'],
  [
    'fact',
    3,
    4,
    'The timetable service listens on port 8471 and reads its routes from `routes.toml`.',
    ['timetable', 'routes.toml'],
    'codex',
  ],
  [
    'skill',
    3,
    4,
    'To rebuild the search index: stop the worker, run `make reindex`, wait for the line "index ready", start it again.',
    ['search index', 'worker'],
    'codex',
  ],
  [
    'episodic',
    3,
    3,
    'On Tuesday the ticket printer at the north pier failed twice; a new ribbon helped.',
    ['ticket printer', 'north pier'],
    'scout',
  ],
  [
    'fact',
    4,
    5,
    'The harbour master is Ingrid Solheim; she answers mails within a day and calls within an hour.',
    ['Ingrid Solheim', 'harbour'],
    'scout',
  ],
  ['correction', 4, 5, 'The fare for bicycles is 4.50, not 4.00, since the first of May.', ['fares'], 'claude-code'],
  [
    'fact',
    2,
    3,
    'The staging database is a copy of last night’s, without names and addresses.',
    ['staging', 'database'],
    'codex',
  ],
  [
    'preference',
    3,
    4,
    'Reports are wanted as one page of prose with a table at the end, never as slides.',
    ['reports', 'Ada'],
    'claude-code',
  ],
  ['constraint', 5, 4, 'Passenger lists never leave the office network.', ['privacy', 'passenger lists'], 'scout'],
  [
    'fact',
    3,
    4,
    'Route 7 runs every forty minutes in winter and every twenty in summer.',
    ['route 7', 'timetable'],
    'scout',
  ],
  ['skill', 2, 3, 'The old scanner needs its lid held down while it warms up.', ['scanner'], 'scout'],
  [
    'episodic',
    2,
    3,
    'The migration to the new payment provider was begun and stopped at step four of nine.',
    ['payments', 'migration'],
    'codex',
  ],
  ['fact', 1, 2, 'Somebody said that the café closes on Mondays.', ['café'], 'scout'],
] as const

const markdown = `# Deploying the timetable

1. Merge to \`main\`; the pipeline builds an image.
2. Ask in **#ferries** whether a boat is being boarded.
3. Run:

\`\`\`sh
make deploy ENV=production
\`\`\`

| Check      | Where            |
| ---------- | ---------------- |
| Departures | the north pier   |
| Prices     | *fares* page     |

> If the board stays dark, roll back first and ask later.

See [[Runbook]] and https://status.example.org/board.
![diagram](https://images.example.org/deploy.png)
- [x] tried on staging
- [ ] tried in production`

export interface Remembered {
  /** The id of a memory by the start of its content. */
  idOf(beginning: string): string
}

export async function rememberStories({ agent }: Pick<Dashboard, 'agent'>): Promise<Remembered> {
  const ids = new Map<string, string>()
  const write = async (input: { content: string } & Record<string, unknown>) => {
    const { memoryId } = (await agent('write-memory', input)) as { memoryId: string }
    ids.set(input.content, memoryId)
    return memoryId
  }
  for (const [memoryType, importance, confidence, content, entities, agentId] of memories)
    await write({ memoryType, importance, confidence, content, entities, agentId, agentRunId: `run-${agentId}` })
  const old = await write({
    content: 'The timetable is deployed by hand from the office machine.',
    entities: ['timetable'],
  })
  const relatedMemoryIds = [{ memoryId: ids.get(memories[2][3]), relationType: 'refines' }]
  await write({
    content: markdown,
    summary: 'How the timetable is deployed',
    memoryType: 'skill',
    importance: 5,
    confidence: 5,
    entities: ['timetable', 'deploy', 'north pier'],
    agentId: 'claude-code',
    agentRunId: 'run-claude-code',
    modelId: 'opus-5',
    writeReason: 'Ada walked me through it.',
    supersededById: old,
    relatedMemoryIds,
    metadata: { repository: 'ferries/timetable' },
  })
  const bikes = ids.get(memories[6][3])
  await write({
    content: 'A poster at the south pier still says 4.00 for bicycles.',
    entities: ['fares', 'south pier'],
    agentId: 'scout',
    relatedMemoryIds: [{ memoryId: bikes, relationType: 'contradicts', label: 'the old fare' }],
    expiresAt: new Date(Date.now() + 9 * 86_400_000).toISOString(),
  })
  return {
    idOf(beginning) {
      const found = [...ids].find(([content]) => content.startsWith(beginning))?.[1]
      if (found === undefined) throw new Error(`No memory begins with ${beginning}`)
      return found
    },
  }
}
