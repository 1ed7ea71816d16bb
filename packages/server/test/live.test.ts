import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { useTestApp } from './app.ts'
import { eachDialect } from './dialects.ts'
import { makeClock, startAgent, type TestAgent } from './scenarios.ts'

/** Archived, trashed, expired and superseded records must not appear in any list or search: one predicate decides this everywhere. */

const fates = {
  memory: ['stays', 'archived', 'superseded', 'expired'],
  task: ['stays', 'archived', 'superseded', 'expired'],
  note: ['stays', 'trashed'],
} as const
type Kind = keyof typeof fates

const record = fc
  .constantFrom<Kind>('memory', 'task', 'note')
  .chain((kind) => fc.record({ kind: fc.constant(kind), fate: fc.constantFrom<string>(...fates[kind]) }))

const hourMs = 3_600_000

eachDialect('records that are not live', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('appear nowhere, for whatever reason, and live ones everywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 8 }), async (records) => {
        const agent = await startAgent(test(), { agentId: 'ada' })
        const hub = await agent.write('The hub of it all.')
        const marked = records.map((one, at) => ({ ...one, mark: `heron${at}x` }))
        const ids: string[] = []
        for (const one of marked) ids.push(await write(agent, one.kind, one.mark, hub))
        for (const [at, one] of marked.entries()) await applyFate(agent, one.fate, ids[at] ?? '')
        clock.advance(2 * hourMs)
        const alive = (kinds: readonly Kind[]) =>
          marked.filter(({ kind, fate }) => fate === 'stays' && kinds.includes(kind)).map(({ mark }) => mark)
        for (const [path, [text, kinds]] of Object.entries(await askAll(agent, hub))) {
          const shown = marked.filter(({ mark }) => text.includes(mark)).map(({ mark }) => mark)
          expect({ path, shown }).toEqual({ path, shown: alive(kinds) })
        }
        expect(await countAll(agent)).toEqual({
          // And the hub, and the successor of each superseded one.
          memoryCount: alive(['memory', 'task']).length + 1 + marked.filter(({ fate }) => fate === 'superseded').length,
          openTaskCount: alive(['task']).length,
          noteCount: alive(['note']).length,
        })
      }),
      { numRuns: 12 },
    )
  })

  async function write(agent: TestAgent, kind: Kind, mark: string, hub: string): Promise<string> {
    const text = `A heron called ${mark} stands here.`
    const [name, body] =
      kind === 'memory'
        ? (['write-memory', { content: text }] as const)
        : kind === 'task'
          ? (['create-task', { title: text }] as const)
          : (['create-note', { title: `About ${mark}`, content: text }] as const)
    const answer = await agent.call(name, body)
    expect(answer.status, answer.text).toBe(201)
    const id = String(answer.body.memoryId ?? answer.body.taskId ?? answer.body.noteId)
    const ends = { sourceType: 'memory', sourceId: hub, targetType: kind === 'note' ? 'note' : 'memory', targetId: id }
    expect((await agent.call('add-link', { ...ends, relationType: 'references' })).status).toBe(201)
    return id
  }

  async function applyFate(agent: TestAgent, fate: string, id: string): Promise<void> {
    if (fate === 'archived') await agent.call('archive-memory', { memoryId: id })
    if (fate === 'superseded') await agent.write({ content: 'Another bird stands there.', supersededById: id })
    if (fate === 'expired') await agent.call('update-memory', { memoryId: id, expiresAt: clock.iso(hourMs) })
    if (fate === 'trashed') await agent.call('delete-note', { noteId: id })
  }
})

/** What each list or search returns, and which kinds of record it covers. */
async function askAll(agent: TestAgent, hub: string): Promise<Record<string, [string, readonly Kind[]]>> {
  const ask = async (name: string, body: Record<string, unknown>) => {
    const { status, text } = await agent.call(name, body)
    expect(status, text).toBe(200)
    return text
  }
  const all = ['memory', 'task', 'note'] as const
  const memories = ['memory', 'task'] as const
  const starts = await Promise.all(
    ['default', 'planning', 'incident', 'handoff', 'deep'].map(async (mode) => {
      // All of them fit: at most eight records, and room for each.
      const room = { maxFacts: 20, maxTasks: 10, maxEpisodic: 10, maxConstraints: 20, maxResponseChars: 100_000 }
      return [
        `session-start ${mode}`,
        [await ask('session-start', { mode, ...room, query: 'heron' }), memories],
      ] as const
    }),
  )
  return {
    'search-memories': [await ask('search-memories', { query: 'heron', topK: 50, diversity: 0 }), memories],
    'search-memories by links': [await ask('search-memories', { query: 'hub', topK: 50 }), memories],
    'list-tasks': [await ask('list-tasks', { limit: 100 }), ['task']],
    'list-notes': [await ask('list-notes', { limit: 100 }), ['note']],
    'search-notes': [await ask('search-notes', { query: 'heron', limit: 100 }), ['note']],
    'semantic-search': [await ask('semantic-search', { query: 'heron', topK: 50 }), ['note']],
    'search-and-read': [await ask('search-and-read', { query: 'heron', topK: 10 }), ['note']],
    'explore-graph from a node': [await ask('explore-graph', { nodeId: hub, maxNodes: 200 }), all],
    'explore-graph from words': [await ask('explore-graph', { query: 'hub', maxNodes: 200 }), all],
    'get-related-memories': [await ask('get-related-memories', { memoryId: hub, limit: 100 }), memories],
    ...Object.fromEntries(starts),
  }
}

async function countAll(agent: TestAgent): Promise<Record<string, unknown>> {
  const { body } = await agent.call('list-vaults')
  const [vault] = body.vaults as Record<string, unknown>[]
  return { memoryCount: vault?.memoryCount, openTaskCount: vault?.openTaskCount, noteCount: vault?.noteCount }
}
