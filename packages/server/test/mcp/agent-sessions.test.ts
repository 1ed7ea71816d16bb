import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeAgent, makeUser } from '../factories.ts'
import { connectHttp, connectStdio, idIn, type Era } from './connect.ts'

/** Two agents of one person, working in sequence and with each other, as hosts would run them. */

const test = useTestApp()
let address: Promise<string> | undefined
const listen = () => (address ??= test().app.listen())

const ways = [
  ['http', connectHttp, '2026'],
  ['http', connectHttp, '2025'],
  ['stdio', connectStdio, '2026'],
  ['stdio', connectStdio, '2025'],
] as const satisfies readonly [string, unknown, Era][]

describe.each(ways)('over %s', (_transport, connect, era) => {
  it(`what one session learns in the era of ${era}, the next one knows, and a message reaches its recipient`, async () => {
    const user = await makeUser(test())
    const url = await listen()
    // The planner has its own name; the other agent uses its label, whatever its client calls itself.
    const planner = await connect({ url, era, key: await makeAgent(test(), user, { agentId: 'planner' }) })
    const builderKey = await makeAgent(test(), user, { label: 'builder' })
    const builder = await connect({ url, era, key: builderKey, name: 'some-host' })

    const begin = await builder.say('session_start', { query: 'the shop' })
    const run = /run: (\S+)/.exec(begin)?.[1]
    expect(begin).not.toContain('since your last session')
    expect(await builder.say('search_memories', { query: 'how do refunds work?' })).toContain('nothing found')
    await builder.say('write_memory', {
      content: 'Refunds above 100 euros need a second signature, decided with the owner.',
      memoryType: 'constraint',
      importance: 5,
    })
    const task = idIn(await builder.say('save_task', { title: 'Add the second signature', status: 'in_progress' }), 't')
    await builder.say('send_message', {
      targetId: 'planner',
      subject: 'Refunds',
      content: 'Who signs second?',
      category: 'question',
    })
    await builder.say('context_checkpoint', {
      sessionSummary: 'Began the second signature; the form is there, the mail is missing.',
      memories: [{ content: 'The refund form lies in refunds/form.ts.', memoryType: 'fact' }],
    })
    await builder.close()

    const inbox = await planner.say('session_start')
    expect(inbox).toContain('Who signs second?')
    const question = idIn(await planner.say('read_messages'), 'msg')
    await planner.say('send_message', {
      targetId: 'builder',
      content: 'The owner signs second.',
      parentMessageId: question,
    })
    expect(await planner.say('ack_message', { ids: [question], note: 'answered' })).toContain('acknowledged: 1 message')
    expect(await planner.say('read_messages')).toContain('no pending messages')

    const next = await connect({ url, era, key: builderKey, name: 'some-host' })
    const context = await next.say('session_start', { mode: 'handoff', query: 'the shop' })
    expect(context).toContain('since your last session')
    expect(context).toContain('Refunds above 100 euros need a second signature')
    expect(context).toContain('Add the second signature')
    expect(context).toContain('Began the second signature')
    expect(context).toContain('The owner signs second.')
    expect(/run: (\S+)/.exec(context)?.[1]).not.toBe(run)
    const answer = idIn(await next.say('read_messages'), 'msg')
    expect(await next.say('ack_message', { ids: [answer] })).toContain('acknowledged: 1 message')
    expect(await next.say('save_task', { id: task, status: 'done' })).toContain('in_progress → done')
    expect(await next.say('search_memories', { query: 'refund form' })).toContain('refunds/form.ts')
    expect(await planner.say('read_messages', { status: 'all' })).toContain('status="acknowledged"')
  })
})
