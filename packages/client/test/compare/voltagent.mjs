import { deepStrictEqual } from 'node:assert'
import { createClient } from '@holdfast/client'
import { HoldfastStorage } from '@holdfast/client/voltagent'
import { InMemoryStorageAdapter } from '@voltagent/core'

// The same calls to VoltAgent's storage in memory and to Holdfast, with the same answers but for times.

const holdfast = new HoldfastStorage(createClient())
const reference = new InMemoryStorageAdapter()
const withoutTimes = (value) =>
  JSON.parse(JSON.stringify(value ?? null), (name, one) => (/^(created|updated)At$/.test(name) ? undefined : one))

let compared = 0
async function both(method, ...args) {
  const [found, expected] = await Promise.all(
    [holdfast, reference].map((storage) =>
      storage[method](...structuredClone(args)).then(withoutTimes, ({ message, code }) => ({ message, code })),
    ),
  )
  deepStrictEqual(found, expected, `${method} ${JSON.stringify(args)}`)
  compared++
}

const message = (id, role, text) => ({ id, role, parts: [{ type: 'text', text }] })
const conversation = (id, userId, resourceId) => ({ id, userId, resourceId, title: `About ${id}`, metadata: { n: 1 } })
const step = (id, stepIndex, operationId) => ({
  id,
  stepIndex,
  operationId,
  conversationId: 'c1',
  userId: 'ada',
  agentId: 'a',
  type: 'text',
  role: 'assistant',
  createdAt: new Date().toISOString(),
})

for (const one of [conversation('c1', 'ada', 'r1'), conversation('c2', 'ada', 'r2'), conversation('c3', 'bob', 'r1')]) {
  await both('createConversation', one)
  // The order is that of the times, in milliseconds.
  await new Promise((done) => setTimeout(done, 5))
}
await both('createConversation', conversation('c1', 'ada', 'r1'))
await both('getConversation', 'c1')
await both('getConversation', 'missing')
await both('getConversations', 'r1')
await both('getConversationsByUserId', 'ada')
await both('getConversationsByUserId', 'ada', { orderBy: 'title', orderDirection: 'DESC' })
await both('queryConversations', {})
await both('queryConversations', { resourceId: 'r1', orderBy: 'created_at', limit: 1, offset: 1 })
await both('queryConversations', { userId: 'ada', resourceId: 'r1' })
await both('countConversations', { resourceId: 'r1' })
await both('updateConversation', 'c1', { title: 'Ferns', userId: 'eve' })
await both('updateConversation', 'missing', { title: 'Ferns' })
await both('getConversationsByUserId', 'ada')
await both('getConversationsByUserId', 'eve')

await both('addMessages', [message('m1', 'user', 'one'), message('m2', 'assistant', 'two')], 'ada', 'c1')
await both('addMessage', message('m3', 'user', 'three'), 'ada', 'c1')
await both('addMessage', message('m1', 'user', 'one, changed'), 'ada', 'c1')
await both('addMessage', message('m1', 'user', 'elsewhere'), 'bob', 'c3')
// VoltAgent doesn't wait for what it writes.
await Promise.all(
  [holdfast, reference].map((storage) => {
    void storage.addMessage(message('m4', 'assistant', 'x'.repeat(100_000)), 'ada', 'c1')
    return storage.addMessage(message('m5', 'user', 'five'), 'ada', 'c1')
  }),
)
await both('getMessages', 'ada', 'c1')
await both('getMessages', 'ada', 'c1', { limit: 2 })
await both('getMessages', 'ada', 'c1', { roles: ['user'], limit: 1 })
await both('getMessages', 'ada', 'c1', { before: new Date(0) })
await both('getMessages', 'ada', 'c1', { after: new Date(0) })
await both('getMessages', 'eve', 'c1')
await both('deleteMessages', ['m2', 'missing'], 'ada', 'c1')
await both('getMessages', 'ada', 'c1')

await both('saveConversationSteps', [step('s2', 2, 'o1'), step('s1', 1, 'o1'), step('s3', 3, 'o2')])
await both('getConversationSteps', 'ada', 'c1')
await both('getConversationSteps', 'ada', 'c1', { operationId: 'o1', limit: 1 })

for (const place of [
  { scope: 'conversation', conversationId: 'c1' },
  { scope: 'user', userId: 'ada' },
]) {
  await both('getWorkingMemory', place)
  await both('setWorkingMemory', { ...place, content: 'likes ferns' })
  await both('getWorkingMemory', place)
  await both('deleteWorkingMemory', place)
  await both('getWorkingMemory', place)
}
await both('getConversation', 'c1')

const run = (id, workflowId, status, userId) => ({
  id,
  workflowId,
  workflowName: 'Watering',
  status,
  userId,
  metadata: { bed: id },
  suspension: { suspendedAt: new Date(5), stepIndex: 1 },
  createdAt: new Date(Number(id)),
  updatedAt: new Date(1),
})
for (const one of [run('1', 'w1', 'suspended', 'ada'), run('2', 'w1', 'completed', 'bob'), run('3', 'w2', 'suspended')])
  await both('setWorkflowState', one.id, one)
await both('getWorkflowState', '1')
await both('getWorkflowState', 'missing')
await both('getSuspendedWorkflowStates', 'w1')
await both('updateWorkflowState', '1', { status: 'completed' })
await both('getSuspendedWorkflowStates', 'w1')
await both('queryWorkflowRuns', {})
await both('queryWorkflowRuns', { workflowId: 'w1', limit: 1, offset: 1 })
await both('queryWorkflowRuns', { from: new Date(2), to: new Date(2) })
await both('queryWorkflowRuns', { metadata: { bed: '3' }, userId: undefined })
const { suspension } = await holdfast.getWorkflowState('1')
deepStrictEqual(suspension.suspendedAt, new Date(5))

await both('clearMessages', 'ada', 'c1')
await both('getMessages', 'ada', 'c1')
await both('getConversationSteps', 'ada', 'c1')
await both('deleteConversation', 'c3')
await both('deleteConversation', 'c3')
await both('getMessages', 'bob', 'c3')
await both('queryConversations', {})
console.log(`${compared} calls`)
