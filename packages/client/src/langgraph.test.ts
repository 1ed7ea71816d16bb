import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph'
import {
  InMemoryStore,
  type BaseStore,
  type Item,
  type Operation,
  type SearchItem,
} from '@langchain/langgraph-checkpoint'
import { array, constant, constantFrom, integer, oneof, record, sample } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useService } from '../test/service.ts'
import { HoldfastStore } from './langgraph.ts'

describe("LangGraph's store", () => {
  const service = useService()
  const open = async () => {
    const client = await service().makeClient()
    return { client, store: new HoldfastStore(client) }
  }

  it('puts, gets, replaces and deletes items', async () => {
    const { client, store } = await open()
    const namespace = ['users', 'ada/1%', 'Preferences']
    expect(await store.get(namespace, 'editor')).toBeNull()
    await store.put(namespace, 'editor', { tabs: true, note: '[[x]] ```\n"q"', list: [[1, 2], [3]] })
    await store.put(namespace, 'Editor', { tabs: false })
    const item = await store.get(namespace, 'editor')
    expect(item).toEqual({
      namespace,
      key: 'editor',
      value: { tabs: true, note: '[[x]] ```\n"q"', list: [[1, 2], [3]] },
      createdAt: expect.any(Date) as Date,
      updatedAt: expect.any(Date) as Date,
    })
    expect((await client.notes.list()).notes).toMatchObject([
      { title: 'users/ada%2F1%25/Preferences/Editor', folderPath: 'langgraph' },
      { links: { out: 0, in: 0 } },
    ])
    await store.put(namespace, 'editor', { tabs: 'both' })
    const replaced = await store.get(namespace, 'editor')
    expect(replaced).toMatchObject({ value: { tabs: 'both' }, createdAt: item?.createdAt })
    expect((await client.notes.list()).total).toBe(2)
    await store.delete(namespace, 'editor')
    expect(await store.get(namespace, 'editor')).toBeNull()
    expect(await store.get(namespace, 'Editor')).toMatchObject({ value: { tabs: false } })
    await store.delete(namespace, 'editor')
  })

  it('ranks what has the words of a query first, only within its prefix', async () => {
    const { client, store } = await open()
    await client.notes.create({ title: 'Pasta', content: 'Pasta is not of the store.' })
    await store.put(['users', 'ada'], 'food', { text: 'Ada likes pasta with basil.' })
    await store.put(['users', 'ada'], 'music', { text: 'Ada plays the cello.' })
    await store.put(['users', 'bob'], 'food', { text: 'Bob likes pasta, too.' })
    const keys = async (prefix: string[], query: string) =>
      (await store.search(prefix, { query })).map(({ namespace, key }) => [...namespace, key].join('/'))
    expect(await keys(['users', 'ada'], 'pasta')).toEqual(['users/ada/food', 'users/ada/music'])
    expect((await keys(['users'], 'pasta')).slice(0, 2).toSorted()).toEqual(['users/ada/food', 'users/bob/food'])
    expect(await keys([], 'cello')).toEqual(['users/ada/music', 'users/ada/food', 'users/bob/food'])
    expect(await keys([], '')).toEqual(['users/ada/food', 'users/ada/music', 'users/bob/food'])
    expect(await keys(['users', 'eve'], 'pasta')).toEqual([])
  })

  it('behaves like the in-memory store', async () => {
    const { store } = await open()
    const reference = new InMemoryStore()
    const both = async <Result>(ask: (one: BaseStore) => Promise<Result>) => {
      const answer = await ask(store)
      expect(answer).toEqual(await ask(reference))
      return answer
    }
    const keysOf = (items: { namespace: string[]; key: string }[]) =>
      items.map(({ namespace, key }) => `${namespace.join('/')}/${key}`).toSorted()
    await both((one) => one.search(['a'], {}))
    await both((one) => one.listNamespaces())
    for (const [at, namespace] of [['a', 'b'], ['a', 'b', 'c'], ['a', 'x'], ['z']].entries())
      for (const size of [1, 2, 3])
        await both((one) => one.put(namespace, `k${size}`, { size, even: at % 2 === 0, tags: at > 0 ? 't' : null }))

    await both(async (one) => keysOf(await one.search(['a', 'b'], { limit: 50 })))
    await both(async (one) => keysOf(await one.search([], { limit: 50 })))
    for (const filter of [
      { size: 2 },
      { size: { $gt: 1, $lte: 2 } },
      { size: { $gte: 2 }, even: true },
      { size: { $ne: 2 } },
      { size: { $in: [1, 3] } },
      { size: { $nin: [1, 3] } },
      { tags: null },
      { size: { $lt: 2 }, none: { $eq: 1 } },
      { size: { $exists: true } },
      { size: { $gt: 1, $exists: true } },
      { size: {} },
      { none: { $nin: [1] } },
      { size: { $nin: 1 } },
      { size: { $in: 1 } },
      { none: null },
      { none: undefined },
    ])
      await both(async (one) => keysOf(await one.search(['a'], { filter, limit: 50 })))
    await both(async (one) => (await one.search(['a'], { limit: 4, offset: 6 })).length)

    for (const options of [
      {},
      { prefix: ['a'] },
      { prefix: ['a', '*'], maxDepth: 2 },
      { prefix: ['*', 'b'] },
      { suffix: ['c'] },
      { suffix: ['b'], prefix: ['a'] },
      { maxDepth: 1 },
    ])
      await both((one) => one.listNamespaces(options))
    await both((one) => one.get(['a', 'b'], 'k4'))
    await both(async (one) => (await one.get(['a', 'b'], 'k3'))?.value)
    await both((one) => one.delete(['a', 'b'], 'k3'))
    await both((one) => one.get(['a', 'b'], 'k3'))
    await expect(store.put(['a.b'], 'k', {})).rejects.toThrow('periods')
  })

  it('ignores other notes in its folder, and items that people have changed', async () => {
    const { client, store } = await open()
    await store.put(['a'], 'kept', { n: 1 })
    await store.put(['a'], 'emptied', { n: 2 })
    await store.put(['a'], 'renamed', { n: 3 })
    for (const title of ['100% sure', 'a/b', 'plain'])
      await client.notes.create({ title, content: 'A person wrote n.', folderPath: 'langgraph' })
    const { notes } = await client.notes.list()
    const noteOf = (title: string) => ({ noteId: notes.find((note) => note.title === title)?.noteId ?? '' })
    await client.notes.update({ ...noteOf('a/emptied'), content: 'A person wrote n.' })
    await client.notes.update({ ...noteOf('a/renamed'), title: '100% mine' })
    const keysOf = (items: { key: string }[]) => items.map(({ key }) => key)
    expect(keysOf(await store.search([]))).toEqual(['kept'])
    expect(keysOf(await store.search(['a'], { limit: 1 }))).toEqual(['kept'])
    expect(keysOf(await store.search([], { query: 'n' }))).toEqual(['kept'])
    expect(await store.listNamespaces()).toEqual([['a']])
    expect(await store.get(['a'], 'emptied')).toBeNull()
    await store.put(['a'], 'emptied', { n: 4 })
    expect(await store.get(['a'], 'emptied')).toMatchObject({ value: { n: 4 } })
  })

  it('creates one note for two simultaneous first puts, also after a deletion', async () => {
    const { client, store } = await open()
    for (const round of [1, 2]) {
      await Promise.all([1, 2, 3].map((n) => store.put(['a'], 'k', { n })))
      expect((await client.notes.list()).total).toBe(1)
      expect(await store.search(['a'])).toMatchObject([{ key: 'k', value: { n: expect.any(Number) as number } }])
      await store.delete(['a'], 'k')
      expect(await store.search(['a'])).toEqual([])
      expect((await client.notes.list({ includeTrashed: true })).total).toBe(round)
    }
  })

  it('stores a value if the answer to the first attempt was lost', async () => {
    let isLost = true
    const losing: typeof fetch = async (target, init) => {
      const response = await fetch(target, init)
      if (!String(target instanceof Request ? target.url : target).includes('create-note') || !isLost) return response
      isLost = false
      throw new TypeError('the connection was cut')
    }
    const store = new HoldfastStore(await service().makeClient({ fetch: losing }))
    await store.put(['a'], 'k', { n: 1 })
    expect(isLost).toBe(false)
    expect((await store.search(['a'])).map(({ value }) => value)).toEqual([{ n: 1 }])
  })

  it('rejects names that are too long for a title', async () => {
    const { store } = await open()
    const put = store.put(['users'], 'x'.repeat(495), { n: 1 })
    await expect(put).rejects.toThrow('namespace and key can have 500 characters together, but have 501')
    await store.put(['users'], 'x'.repeat(494), { n: 1 })
    expect(await store.get(['users'], 'x'.repeat(494))).toMatchObject({ value: { n: 1 } })
    expect(await store.get(['users'], 'x'.repeat(495))).toBeNull()
  })

  it('reads only the pages it needs', async () => {
    let requests = 0
    const counting: typeof fetch = (...request) => {
      requests++
      return fetch(...request)
    }
    const store = new HoldfastStore(await service().makeClient({ fetch: counting }))
    for (let n = 0; n < 12; n++) await store.put(['a'], `k${n}`, { n })
    const countFor = async (ask: () => Promise<unknown[]>) => {
      requests = 0
      return [(await ask()).length, requests]
    }
    expect(await countFor(() => store.search(['a'], { limit: 5 }))).toEqual([5, 2])
    expect(await countFor(() => store.search(['a'], { limit: 5, offset: 4 }))).toEqual([5, 2])
    expect(await countFor(() => store.search(['a'], { limit: 5, offset: 10 }))).toEqual([2, 2])
  })

  it('returns what the in-memory store returns after the same random operations', async () => {
    const { store } = await open()
    const reference = new InMemoryStore()
    const value = record({ n: integer({ min: 0, max: 3 }), word: constantFrom('fern', 'moss', null) })
    const names: string[][] = [['a'], ['a', 'b'], []]
    const place = { namespace: constant<string[]>(['a', 'b']), key: constantFrom('k1', 'k2', 'k3', 'k4') }
    const filter = constantFrom({}, { n: 2 }, { n: { $gte: 1, $lt: 3 } }, { word: 'fern' }, { word: { $ne: null } })
    const page = { limit: integer({ min: 0, max: 3 }), offset: integer({ min: 0, max: 3 }) }
    const operation = oneof(
      { weight: 4, arbitrary: record({ ...place, value }) },
      { weight: 1, arbitrary: record({ ...place, value: constant(null) }) },
      { weight: 1, arbitrary: record(place) },
      { weight: 2, arbitrary: record({ namespacePrefix: constantFrom(...names), filter, ...page }) },
    )
    const answers = async (one: BaseStore, operations: Operation[]) => {
      const results = (await one.batch(operations)) as (Item | SearchItem[] | null | undefined)[]
      const print = (item?: Item | null) => (item ? `${item.key}: ${JSON.stringify(item.value)}` : null)
      return results.map((result) => (Array.isArray(result) ? result.map(print) : print(result)))
    }
    const batches = sample(array(operation, { minLength: 1, maxLength: 4 }), { numRuns: 90, seed: 7 })
    for (const operations of batches.filter(isComparable))
      expect(await answers(store, operations)).toEqual(await answers(reference, operations))
  })

  /**
   * The puts of a batch are sent at the same time, so which of two new items is listed first isn't known. And the in-memory store returns
   * its own items, which a put in the same batch changes afterwards.
   */
  function isComparable(operations: readonly object[]): boolean {
    const keyed = operations.filter((one): one is { key: string; value?: unknown } => 'key' in one)
    const put = new Set(keyed.filter(({ value = null }) => value !== null).map(({ key }) => key))
    return put.size < 2 && !keyed.some((one) => !('value' in one) && put.has(one.key))
  }

  it('reads before it writes in a batch, and keeps the last of several puts', async () => {
    const { store } = await open()
    const at = { namespace: ['a'], key: 'k' }
    const operations = [{ ...at, value: { n: 1 } }, at, { ...at, value: { n: 2 } }, { namespacePrefix: [] }]
    expect(await store.batch(operations)).toEqual([undefined, null, undefined, []])
    expect(await store.get(at.namespace, at.key)).toMatchObject({ value: { n: 2 } })
  })

  it('sends the requests of a batch several at a time', async () => {
    let [atOnce, most] = [0, 0]
    const counting: typeof fetch = async (...request) => {
      most = Math.max(most, ++atOnce)
      return fetch(...request).finally(() => atOnce--)
    }
    const store = new HoldfastStore(await service().makeClient({ fetch: counting }))
    await store.batch(Array.from({ length: 20 }, (_, n) => ({ namespace: ['a'], key: `k${n}`, value: { n } })))
    expect(most).toBe(8)
    expect(await store.search(['a'], { limit: 30 })).toHaveLength(20)
  })

  it('keeps memory from one thread of a graph to the next', async () => {
    const { store } = await open()
    const State = Annotation.Root({ said: Annotation<string>(), heard: Annotation<string[]>() })
    const graph = new StateGraph(State)
      .addNode('remember', async ({ said }: typeof State.State, { store: given }: LangGraphRunnableConfig) => {
        const heard = await given?.search(['ada'], { limit: 5 })
        await given?.put(['ada'], said, { said })
        return { heard: heard?.map(({ value }) => String(value['said'])) }
      })
      .addEdge(START, 'remember')
      .addEdge('remember', END)
      .compile({ store })
    expect(await graph.invoke({ said: 'tabs' })).toMatchObject({ heard: [] })
    expect(await graph.invoke({ said: 'spaces' })).toMatchObject({ heard: ['tabs'] })
  })
})

describe("LangGraph's store on a server with embeddings", () => {
  const service = useService({ config: { embeddings: { provider: 'static' } } })

  it('ranks all items under a prefix by meaning', async () => {
    const store = new HoldfastStore(await service().makeClient())
    await store.put(['ada'], 'food', { text: 'Ada likes pasta with basil.' })
    await store.put(['ada'], 'music', { text: 'Ada plays the cello in an orchestra.' })
    await store.put(['ada'], 'code', { text: 'Ada indents with tabs.' })
    await store.put(['bob'], 'music', { text: 'Bob plays the violin.' })
    const found = await store.search(['ada'], { query: 'Which musical instrument?' })
    expect(found.map(({ key }) => key)).toHaveLength(3)
    expect(found[0]).toMatchObject({ key: 'music', namespace: ['ada'], score: expect.any(Number) as number })
    const scores = found.map(({ score }) => score ?? 0)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(await store.search(['ada'], { query: 'music', limit: 1, offset: 1 })).toHaveLength(1)
  })

  it('returns every item that matches, and those without likeness last', async () => {
    const store = new HoldfastStore(await service().makeClient())
    const texts = ['red apple', 'zxqv wvut', 'blue car', '(((', 'red bicycle']
    for (const [at, text] of texts.entries()) await store.put(['a'], `k${at}`, { text, even: at % 2 === 0 })
    const keys = async (options: object) =>
      (await store.search(['a'], { query: 'apple', ...options })).map(({ key }) => key)
    const all = await keys({})
    expect(all[0]).toBe('k0')
    expect(all.toSorted()).toEqual(['k0', 'k1', 'k2', 'k3', 'k4'])
    expect((await keys({ filter: { even: true } })).toSorted()).toEqual(['k0', 'k2', 'k4'])
  })

  it('returns all pages of a search, past the 50 that are ranked', async () => {
    const store = new HoldfastStore(await service().makeClient())
    const putAt = (n: number) => ({ namespace: ['a'], key: `k${n}`, value: { text: `fern ${n}`, n } })
    await store.batch(Array.from({ length: 53 }, (_, n) => putAt(n)))
    const search = (offset: number) => store.search(['a'], { query: 'fern', limit: 26, offset })
    const pages = [await search(0), await search(26), await search(52), await search(53)]
    expect(pages.map((page) => page.length)).toEqual([26, 26, 1, 0])
    expect(new Set(pages.flat().map(({ key }) => key)).size).toBe(53)
    expect(
      pages
        .flat()
        .map(({ score }) => score === undefined)
        .lastIndexOf(false),
    ).toBe(49)
    const filtered = await store.search(['a'], { query: 'fern', filter: { n: { $gte: 20 } }, limit: 60 })
    expect(filtered).toHaveLength(33)
  })

  it('does not rank an item that was put with index: false, until it is put again', async () => {
    const client = await service().makeClient()
    const store = new HoldfastStore(client)
    const put = (key: string, index?: false) => store.put(['a'], key, { text: `Ada plays the cello, ${key}` }, index)
    await put('first', false)
    await put('second')
    const search = async () =>
      (await store.search(['a'], { query: 'Which instrument?' })).map(({ key, score }) => [key, score])
    const score = expect.any(Number) as number
    expect(await search()).toEqual([
      ['second', score],
      ['first', undefined],
    ])
    const { notes } = await client.notes.list()
    for (const { noteId, tags } of notes) await client.notes.update({ noteId, tags: [...tags, 'mine'] })
    await put('first')
    await put('second', false)
    expect(await search()).toEqual([
      ['first', score],
      ['second', undefined],
    ])
    expect((await client.notes.list({ tags: ['mine'] })).total).toBe(2)
  })
})
