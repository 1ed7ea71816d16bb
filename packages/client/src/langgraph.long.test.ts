import { expect, it } from 'vitest'
import { useService } from '../test/service.ts'
import { HoldfastStore } from './langgraph.ts'

const service = useService()

it("lists more items of LangGraph's store than the server lists at once, in the order of their creation", async () => {
  const client = await service().makeClient()
  const store = new HoldfastStore(client)
  for (let n = 0; n < 230; n++) await store.put(['a'], `k${n}`, { n })
  const numbers = async (options: object) =>
    (await store.search(['a'], options)).map(({ value }) => value['n'] as number)
  const all = Array.from({ length: 230 }, (_, n) => n)
  expect(await numbers({ limit: 300 })).toEqual(all)
  expect(await numbers({ limit: 30, offset: 90 })).toEqual(all.slice(90, 120))
  expect(await numbers({ filter: { n: { $gte: 225 } } })).toEqual(all.slice(225))
  const pages = []
  for (let offset = 0; offset < 230; offset += 60) pages.push(await numbers({ query: '9', limit: 60, offset }))
  expect(pages.flat().toSorted((a, b) => a - b)).toEqual(all)
})

it('lists all items while others are added', async () => {
  const client = await service().makeClient()
  const store = new HoldfastStore(client)
  await store.batch(Array.from({ length: 210 }, (_, n) => ({ namespace: ['a'], key: `k${n}`, value: { n } })))
  const added = new AbortController()
  const add = async () => {
    for (let n = 0; !added.signal.aborted; n++) await store.put(['a'], `new${n}`, { n })
  }
  const adding = add()
  const keys = (await store.search(['a'], { limit: 10_000 })).map(({ key }) => key)
  added.abort()
  await adding
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter((key) => key.startsWith('k'))).toHaveLength(210)
})
