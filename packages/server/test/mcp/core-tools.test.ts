import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { connectHttp, connectStdio, idIn, type Connected, type Era } from './connect.ts'

/** Each tool for everyday work, called by the official client on a listening server. */

const test = useTestApp()
let address: Promise<string> | undefined
const listen = () => (address ??= test().app.listen())

const transports = { http: connectHttp, stdio: connectStdio }

describe.each(Object.entries(transports))('over %s', (_transport, connect) => {
  describe.each(['2025', '2026'] satisfies Era[])('in the era of %s', (era) => {
    it('every tool does what it says', async () => {
      const { key } = await makeUserWithAgent(test(), { label: 'test-host' })
      const host = await connect({ url: await listen(), key, era })
      const { tools } = await host.client.listTools()
      expect(tools).toHaveLength(15)
      expect(host.client.getInstructions()).toContain('session_start')
      const used = await useAll(host)
      expect(new Set(tools.map(({ name }) => name))).toEqual(used)
    })
  })
})

/** Calls every tool at least once, and returns the names. */
async function useAll({ say, fail }: Connected): Promise<Set<string>> {
  const used = new Set<string>()
  const use = (name: string, args: Record<string, unknown> = {}) => {
    used.add(name)
    return say(name, args)
  }

  expect(await use('session_start', { mode: 'minimal' })).toMatch(/^vault: Main\nmode: minimal · run: [0-9a-f-]{36}\n/)
  const written = await use('write_memory', {
    content: 'Billing runs on the night train of the 3rd.',
    memoryType: 'constraint',
    entities: ['billing'],
  })
  expect(written).toMatch(/^vault: Main\nstored: m:[0-9a-f-]{36} \(constraint\)$/)
  const memory = idIn(written, 'm')
  expect(
    await say('write_memory', { content: 'Billing runs on the night train of the 3rd.', memoryType: 'constraint' }),
  ).toContain(`already stored (exact_match): ${memory}`)
  expect(await use('update_memory', { id: memory, importance: 5 })).toContain(
    `updated: ${memory} (constraint, version 2)`,
  )
  const newer = idIn(
    await say('write_memory', { content: 'Billing runs by day now.', memoryType: 'constraint', supersedes: memory }),
    'm',
  )

  const note = idIn(
    await use('save_note', { title: 'Timetable', content: 'Trains leave at nine.', folder: 'Travel' }),
    'n',
  )
  expect(await say('save_note', { id: note, edits: [{ find: 'nine', replace: 'ten' }], folder: '/' })).toMatch(
    /updated: n:.*\nmoved: n:.* in \/ \(version 3\)$/s,
  )
  expect(
    await use('add_link', { sourceId: newer, targetId: note, relationType: 'references', label: 'the hours' }),
  ).toContain('linked: references')
  const found = await use('search_memories', { query: 'when does billing run, and which trains?' })
  expect(found).toContain('found: 1 memory, 1 note')
  expect(found).toContain(`- [${newer}] constraint i3 `)
  expect(found).toContain('by test-host · Billing runs by day now.')
  expect(found).toContain(`- [${note}] note `)
  expect(found).not.toContain(memory)

  const read = await use('read_items', {
    ids: [newer, note.slice(2), memory, 'm:0198c5f0-0000-7000-8000-000000000001'],
  })
  expect(read).toContain('Trains leave at ten.')
  expect(read).toContain(`marks="superseded by ${newer}"`)
  expect(read).toContain('not found in this vault: 0198c5f0-0000-7000-8000-000000000001')
  const graph = await use('explore_graph', { id: newer })
  expect(graph).toContain(`1. [${newer}] constraint i3 hop 0`)
  expect(graph).toContain('references')
  expect(await say('explore_graph', { id: newer, hops: 1, relations: ['references'] })).toMatch(
    /references → \[n:.*Timetable \(the hours\)/,
  )

  const task = idIn(
    await use('save_task', { title: 'Move the billing run', doneWhen: 'it ran by day', priority: 4 }),
    't',
  )
  const claim = { id: task, status: 'in_progress', expectedStatus: 'todo', assignedAgentId: 'test-host' }
  expect(await say('save_task', claim)).toContain(`updated: ${task} (todo → in_progress)`)
  expect(await fail('save_task', claim)).toMatch(/^CONFLICT: The task is in_progress, not todo/)
  expect(await use('list_tasks')).toContain(`- [${task}] in_progress p4 @test-host `)

  const message = idIn(await use('send_message', { targetId: 'test-host', content: 'To myself.' }), 'msg')
  expect(await use('read_messages')).toContain('no pending messages')
  const other = idIn(await say('send_message', { targetId: 'user', content: 'The run has moved.', priority: 4 }), 'msg')
  expect(other).not.toBe(message)
  used.add('ack_message')
  expect(await fail('ack_message', { ids: [other] })).toMatch(/^NOT_FOUND: no message to this agent/)

  const saved = await use('context_checkpoint', {
    sessionSummary: 'The billing run was moved to the day.',
    memories: [{ content: 'The night train is no longer used.', memoryType: 'correction' }, { content: '' }],
  })
  expect(saved).toMatch(/saved: summary m:.*; memories: 1 created, 0 already stored, 1 failed/)
  expect(saved).toContain('memories.1 FAILED: Validation failed: content')
  expect(await use('archive_memory', { id: newer, reason: 'tried' })).toContain(`archived: ${newer}`)
  expect(await say('search_memories', { query: 'billing by day', in: 'memories' })).not.toContain(newer)
  return used
}
