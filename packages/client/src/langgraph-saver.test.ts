import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import { emptyCheckpoint, uuid6, type CheckpointMetadata } from '@langchain/langgraph-checkpoint'
import { describe, expect, it } from 'vitest'
import { useService } from '../test/service.ts'
import { HoldfastSaver } from './langgraph.ts'

const metadata: CheckpointMetadata = { source: 'loop', step: 0, parents: {} }
const inThread = (thread_id: string, checkpoint_ns = '') => ({ configurable: { thread_id, checkpoint_ns } })
const checkpointOf = (values: Record<string, unknown>, step: number) => ({
  ...emptyCheckpoint(),
  id: uuid6(step),
  channel_values: values,
})

describe("LangGraph's checkpointer", () => {
  const service = useService()
  const open = async () => {
    const client = await service().makeClient()
    return { client, saver: new HoldfastSaver(client) }
  }

  it('continues a graph that waits for a person in another program', async () => {
    const { client, saver } = await open()
    const State = Annotation.Root({
      said: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
    })
    const compile = (checkpointer: HoldfastSaver) =>
      new StateGraph(State)
        .addNode('ask', () => ({ said: [`answer: ${String(interrupt('When?'))}`] }))
        .addEdge(START, 'ask')
        .addEdge('ask', END)
        .compile({ checkpointer })
    const config = inThread('ferns')
    const waiting = await compile(saver).invoke({ said: ['Water the ferns'] }, config)
    expect(waiting).toMatchObject({ __interrupt__: [{ value: 'When?' }] })
    const again = compile(new HoldfastSaver(client))
    const done = await again.invoke(new Command({ resume: 'at dawn' }), config)
    expect(done).toEqual({ said: ['Water the ferns', 'answer: at dawn'] })
    const history = []
    for await (const { values } of again.getStateHistory(config)) history.push((values as typeof done).said.length)
    expect(history).toEqual([2, 1, 0])
    expect((await again.getState(inThread('another'))).values).toEqual({})
  })

  it('lists the checkpoints of a thread, a namespace or all threads, the newest first', async () => {
    const { saver } = await open()
    const ids: Record<string, string> = {}
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      const config = inThread(at < 3 ? 'one' : 'two', name === 'b' ? 'inner' : '')
      const saved = await saver.put(config, checkpointOf({ name }, at), { ...metadata, step: at })
      ids[name] = String(saved.configurable?.['checkpoint_id'])
    }
    const list = async (...args: Parameters<HoldfastSaver['list']>) => {
      const names = []
      for await (const { checkpoint } of saver.list(...args)) names.push(checkpoint.channel_values['name'])
      return names.join('')
    }
    expect(await list({})).toBe('dcba')
    expect(await list({ configurable: { thread_id: 'one' } })).toBe('cba')
    expect(await list(inThread('one'))).toBe('ca')
    expect(await list({ configurable: { checkpoint_ns: 'inner' } })).toBe('b')
    expect(await list({}, { limit: 2, before: { configurable: { checkpoint_id: ids['d'] } } })).toBe('cb')
    expect(await list({}, { filter: { step: 0 } })).toBe('a')
    expect(await list({}, { limit: 0 })).toBe('')
    expect(await list({ configurable: { thread_id: 'one', checkpoint_id: ids['b'] } })).toBe('b')
    await saver.deleteThread('one')
    expect(await list({})).toBe('d')
  })

  it('keeps the writes of tasks in the order in which LangGraph applies them, each once', async () => {
    const { client, saver } = await open()
    const config = await saver.put(inThread('t'), checkpointOf({}, 0), metadata)
    await saver.putWrites(
      config,
      [
        ['x', 1],
        ['__error__', 'broken'],
        ['y', 2],
      ],
      'task-b',
      'path-1',
    )
    await saver.putWrites(config, [['x', 3]], 'task-a', 'path-2')
    await saver.putWrites(config, [['x', 4]], 'task-c')
    await saver.putWrites(
      config,
      [
        ['x', 'repeated'],
        ['__error__', 'again'],
      ],
      'task-b',
      'path-1',
    )
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([
      ['task-c', 'x', 4],
      ['task-b', '__error__', 'again'],
      ['task-b', 'x', 1],
      ['task-b', 'y', 2],
      ['task-a', 'x', 3],
    ])
    await saver.deleteThread('t')
    expect((await client.notes.list()).total).toBe(0)
    expect((await client.notes.list({ includeTrashed: true })).total).toBe(4)
  })

  it('keeps a checkpoint that was put twice once, and bytes as they were', async () => {
    const { client, saver } = await open()
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * at) % 251)
    const checkpoint = checkpointOf({ bytes }, 0)
    await saver.put(inThread('t'), checkpoint, metadata)
    const config = await saver.put(inThread('t'), checkpoint, { ...metadata, step: 1 })
    expect(await saver.getTuple(config)).toMatchObject({
      checkpoint: { channel_values: { bytes } },
      metadata: { step: 1 },
    })
    expect((await client.notes.list()).total).toBe(1)
  })

  it('ignores notes that people have changed into something else', async () => {
    const { client, saver } = await open()
    const config = await saver.put(inThread('t'), checkpointOf({}, 0), metadata)
    const [note] = (await client.notes.list()).notes
    await client.notes.update({ noteId: note?.noteId ?? '', content: 'A person wrote this.' })
    expect(await saver.getTuple(config)).toBeUndefined()
  })

  it('rejects a checkpoint that is longer than a note, and a config without a thread', async () => {
    const { saver } = await open()
    // What is random can't be compressed.
    const random = Array.from({ length: 10 }, () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(40_000))).toString('base64'),
    )
    const long = checkpointOf({ random }, 0)
    await expect(saver.put(inThread('t'), long, metadata)).rejects.toThrow('A record can have 500000 characters')
    await expect(saver.put({}, checkpointOf({}, 0), metadata)).rejects.toThrow('needs a thread')
    await expect(saver.putWrites(inThread('t'), [['x', 1]], 'task')).rejects.toThrow('checkpoint_id is missing')
  })
})
