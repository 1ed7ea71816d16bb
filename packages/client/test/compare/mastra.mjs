import { deepStrictEqual } from 'node:assert'
import { createClient } from '@holdfast/client'
import { HoldfastStorage } from '@holdfast/client/mastra'
import { InMemoryStore } from '@mastra/core/storage'

// The same calls to Mastra's storage in memory and to Holdfast, with the same answers but for the times of changes.

const stores = [new HoldfastStorage(createClient()), new InMemoryStore()]
const [holdfast, reference] = await Promise.all(stores.map((store) => store.getStore('memory')))
// Times that were given are from 2025.
const isNow = (time) => Date.now() - new Date(time).getTime() < 600_000
const isLeftOut = (name, value) => name === 'updatedAt' || (name === 'createdAt' && isNow(value))
const plain = (value) =>
  JSON.parse(JSON.stringify(value ?? null), (name, one) => (isLeftOut(name, one) ? undefined : one))

let compared = 0
async function both(method, ...args) {
  const [found, expected] = await Promise.all(
    [holdfast, reference].map(async (storage) => {
      try {
        return plain(await storage[method](...structuredClone(args)))
      } catch ({ message }) {
        return { message }
      }
    }),
  )
  deepStrictEqual(found, expected, `${method} ${JSON.stringify(args)}`)
  compared++
}

const at = (second) => new Date(Date.UTC(2025, 0, 1, 0, 0, second))
const thread = (id, resourceId, second, metadata = {}) => ({
  id,
  resourceId,
  title: `About ${id}`,
  metadata,
  createdAt: at(second),
  updatedAt: at(second),
})
const message = (id, [threadId, resourceId], second, metadata) => ({
  id,
  threadId,
  resourceId,
  role: second % 2 === 0 ? 'assistant' : 'user',
  type: 'v2',
  createdAt: at(second),
  content: { format: 2, parts: [{ type: 'text', text: `said ${id}` }], ...(metadata && { metadata }) },
})

for (const one of [thread('t1', 'ada', 1), thread('t2', 'ada', 2, { bed: 1 }), thread('t3', 'bob', 3)])
  await both('saveThread', { thread: one })
await both('getThreadById', { threadId: 't1' })
await both('getThreadById', { threadId: 't1', resourceId: 'bob' })
await both('getThreadById', { threadId: 'missing' })
await both('listThreads', {})
await both('listThreads', { filter: { resourceId: 'ada' }, orderBy: { field: 'createdAt', direction: 'ASC' } })
await both('listThreads', { filter: { metadata: { bed: 1 } } })
await both('listThreads', { perPage: 1, page: 1 })
await both('listThreads', { perPage: false, page: 1 })
await both('updateThread', { id: 't1', title: 'Ferns' })
await both('updateThread', { id: 't1', metadata: { wet: true } })
await both('updateThread', { id: 'missing', title: 'x' })
await both('getThreadById', { threadId: 't1' })

const messages = [1, 2, 3, 4, 5].map((n) => message(`m${n}`, ['t1', 'ada'], n, n > 3 ? { bed: n } : undefined))
await both('saveMessages', { messages })
await both('saveMessages', { messages: [message('m6', ['t2', 'ada'], 6), message('m7', ['t3', 'bob'], 7)] })
await both('listMessages', { threadId: 't1' })
await both('listMessages', { threadId: 't1', perPage: 2, page: 1 })
await both('listMessages', { threadId: 't1', perPage: 2, orderBy: { field: 'createdAt', direction: 'DESC' } })
await both('listMessages', { threadId: ['t1', 't3'], perPage: false })
await both('listMessages', { threadId: ['t1', 't3'], resourceId: 'bob' })
await both('listMessages', { threadId: 't1', filter: { metadata: { bed: 4 } } })
await both('listMessages', { threadId: 't1', filter: { dateRange: { start: at(2), end: at(4), endExclusive: true } } })
await both('listMessages', {
  threadId: 't2',
  perPage: 0,
  include: [{ id: 'm3', withPreviousMessages: 1, withNextMessages: 1 }],
})
await both('listMessages', { threadId: 't2', resourceId: 'ada', include: [{ id: 'm7' }] })
await both('listMessages', { threadId: ' ' })
await both('listMessages', { threadId: 'missing' })
await both('listMessagesByResourceId', { resourceId: 'ada', perPage: 3 })
await both('listMessagesById', { messageIds: ['m1', 'missing', 'm7'] })
await both('updateMessages', { messages: [{ id: 'm1', content: { metadata: { seen: true } } }, { id: 'missing' }] })
await both('updateMessages', { messages: [{ id: 'm2', threadId: 't2' }] })
await both('listMessages', { threadId: 't1' })
await both('listMessages', { threadId: 't2' })
await both('deleteMessages', ['m3', 'missing'])
await both('listMessages', { threadId: 't1' })

await both('getResourceById', { resourceId: 'ada' })
await both('updateResource', { resourceId: 'ada', workingMemory: 'likes ferns' })
await both('updateResource', { resourceId: 'ada', metadata: { wet: true } })
await both('saveResource', { resource: { id: 'bob', workingMemory: 'x', createdAt: at(1), updatedAt: at(1) } })
await both('updateResource', { resourceId: 'bob', workingMemory: 'y', metadata: { wet: true } })
await both('getResourceById', { resourceId: 'bob' })
await both('deleteThread', { threadId: 't1' })
await both('listMessages', { threadId: 't1' })
await both('listMessages', { threadId: 't2' })
await both('listThreads', { orderBy: { field: 'createdAt', direction: 'ASC' } })
console.log(`${compared} calls`)
