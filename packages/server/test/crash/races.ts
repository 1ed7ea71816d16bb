// What several clients, and several servers on one database, must agree on.

import { expect } from 'vitest'
import { searchFor, wordFor, type Agent } from './agent.ts'

/** The same write many times at once, spread over the agents: one creates, all others answer with what it created. */
export async function writeTheSame(agents: readonly [Agent, ...Agent[]], times: number): Promise<void> {
  const body = { content: 'only once', externalWriteId: `the same ${times} times` }
  const sent = Array.from({ length: times }, (_, at) => (agents[at % agents.length] ?? agents[0])('write-memory', body))
  const replies = await Promise.all(sent)
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(times - 1)
  expect(new Set(replies.map((reply) => reply.body['memoryId'])).size).toBe(1)
}

/** Writes on one server and searches on another at once, by turns. */
export async function findAtOnce(writer: Agent, reader: Agent, pairs: number): Promise<void> {
  for (let number = 0; number < pairs; number++) {
    const word = wordFor(number)
    const { status, body } = await writer('write-memory', { content: `${word} was written elsewhere` })
    expect(status).toBe(201)
    expect([word, (await searchFor(reader, word))[0]?.memoryId]).toEqual([word, body['memoryId']])
  }
}
