// What several clients, and several servers on one database, must agree on.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { searchFor, wordFor, type Agent } from './agent.ts'

/** The same concurrent write many times, from all agents: one creates, all others get what it created. */
export async function writeTheSame(agents: readonly [Agent, ...Agent[]], times: number): Promise<void> {
  const body = { content: 'only once', externalWriteId: `the same ${times} times` }
  const sent = Array.from({ length: times }, (_, at) =>
    untilAnswered(agents[at % agents.length] ?? agents[0])('write-memory', body),
  )
  const replies = await Promise.all(sent)
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(times - 1)
  expect(new Set(replies.map((reply) => reply.body['memoryId'])).size).toBe(1)
}

/** A busy server says so, and asks for the same call later. */
const untilAnswered =
  (agent: Agent): Agent =>
  async (operation, body) => {
    let reply = await agent(operation, body)
    for (; reply.status === 503; reply = await agent(operation, body)) await sleep(500)
    return reply
  }

/** The same concurrent text many times, without an idempotency key: deduplication keeps one, from one agent or many. */
export async function writeAlike(agents: readonly [Agent, ...Agent[]], times: number): Promise<void> {
  const contents = ['The heron fishes at dawn', 'the heron fishes  at dawn', 'At dawn the heron fishes!']
  const sent = Array.from({ length: times }, (_, at) =>
    (agents[at % agents.length] ?? agents[0])('write-memory', { content: contents[at % contents.length], dedup: true }),
  )
  const replies = await Promise.all(sent)
  // A busy server says so.
  const answered = replies.filter(({ status }) => status !== 503)
  expect(answered.map(({ status }) => status).filter((status) => status !== 200)).toEqual([201])
  expect(new Set(answered.map((reply) => reply.body['memoryId'])).size).toBe(1)
}

/** One task, claimed by all agents at once: one gets it, all others are told so. */
export async function claimTheSame(agents: readonly [Agent, ...Agent[]], times: number): Promise<void> {
  const { taskId } = (await agents[0]('create-task', { title: 'contested' })).body
  const claim = { taskId, status: 'in_progress', expectedStatus: 'todo' }
  const sent = Array.from({ length: times }, (_, at) =>
    (agents[at % agents.length] ?? agents[0])('update-task', { ...claim, assignedAgentId: `agent ${at}` }),
  )
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 409 && status !== 503)).toEqual([200])
  const { tasks } = (await agents[0]('list-tasks', {})).body as { tasks: Record<string, unknown>[] }
  expect(tasks).toMatchObject([
    { assignedAgentId: `agent ${statuses.indexOf(200)}`, statusHistory: [{ to: 'in_progress' }] },
  ])
}

/** Writes on one server and searches on another immediately, in turns. The words begin with the number `from`. */
export async function findAtOnce(
  writer: Agent,
  reader: Agent,
  { from = 0, pairs }: { from?: number; pairs: number },
): Promise<void> {
  const [write, search] = [untilAnswered(writer), untilAnswered(reader)]
  for (let number = from; number < from + pairs; number++) {
    const word = wordFor(number)
    const { status, body } = await write('write-memory', { content: `${word} was written elsewhere` })
    expect(status).toBe(201)
    expect([word, (await searchFor(search, word))[0]?.memoryId]).toEqual([word, body['memoryId']])
  }
}
