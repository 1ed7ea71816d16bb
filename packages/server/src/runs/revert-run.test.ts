import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'

eachDialect('reverting a run', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const person = await makePerson(test())
    const agent = await startAgent(test(), { user: person.user, agentId: 'ada' })
    const inRun = async (name: string, body: Record<string, unknown>) => {
      clock.advance(1000)
      const { body: answer, status, text } = await agent.call(name, { agentRunId: 'bad day', ...body })
      expect(status, text).toBeLessThan(300)
      return answer
    }
    const write = async (content: string, more: Record<string, unknown> = {}) =>
      String((await inRun('write-memory', { content, ...more })).memoryId)
    const onRun = async (name: string, input: Record<string, unknown> = {}) => {
      const { body } = await person.call('list-runs')
      const runs = body.runs as { id: string; agentRunId: string; agentId: string }[]
      const run = runs.find(({ agentRunId, agentId }) => agentRunId === 'bad day' && agentId === 'ada')
      return (await person.call(name, { id: run?.id, ...input })).body
    }
    const preview = () => onRun('revert-run', { dryRun: true })
    const revert = () => onRun('revert-run')
    return { person, agent, inRun, write, preview, revert, onRun }
  }

  it('archives memories and tasks, trashes notes, and restores what they superseded', async () => {
    const { agent, inRun, write, preview, revert } = await start()
    const old = await agent.write('Violets want shade.')
    const other = await agent.write({ content: 'Of another run.', agentRunId: 'good day' })
    const wrong = await write('Violets want the full sun.', { supersededById: old })
    const { taskId } = await inRun('create-task', { title: 'Cut the trees' })
    const { noteId } = await inRun('create-note', { title: 'Sun' })
    expect(await preview()).toEqual({
      dryRun: true,
      matched: 3,
      records: [
        { type: 'note', id: noteId, title: 'Sun' },
        { type: 'memory', id: taskId, title: 'Cut the trees' },
        { type: 'memory', id: wrong, title: 'Violets want the full sun.' },
      ],
      updated: 0,
      updates: [],
      broughtBack: 0,
      broughtBackRecords: [],
      left: [],
      leftCount: 0,
      proposals: 0,
      kept: [],
    })
    expect(await agent.read(wrong)).toMatchObject({ status: 'active' })
    expect(await revert()).toEqual({
      dryRun: false,
      archived: [taskId, wrong],
      trashed: [noteId],
      broughtBack: [old],
      restored: [],
      left: [],
      kept: [],
      keptCount: 0,
      keptRecords: [],
      remaining: 0,
      withdrawn: 0,
    })
    expect(await agent.read(wrong)).toMatchObject({ status: 'archived' })
    expect(await agent.read(old)).toMatchObject({ status: 'active', supersededById: null })
    expect(await agent.search('violets')).toEqual([old])
    expect(await agent.read(other)).toMatchObject({ status: 'active', version: 1 })
    expect((await agent.call('read-note', { noteId })).body.note).toMatchObject({ status: 'trashed' })
    const { body } = await agent.call('get-links', { nodeId: old, nodeType: 'memory' })
    expect(body.links).toEqual([])
    expect(await revert()).toMatchObject({ archived: [], trashed: [], remaining: 0 })
    expect(await preview()).toMatchObject({ matched: 0, leftCount: 3 })
  })

  it('keeps records that were changed since or are already archived, and other changes, and reports them', async () => {
    const { person, agent, inRun, write, preview, revert } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const changed = await write('Roses in June.')
    const archived = await write('Lilies in July.')
    const fresh = await write('Asters in September.')
    await inRun('send-message', { targetId: '*', content: 'Look at the roses.' })
    await bob.call('update-memory', { memoryId: changed, importance: 5 })
    await agent.call('archive-memory', { memoryId: archived })
    expect(await preview()).toMatchObject({
      matched: 1,
      left: [
        { id: archived, title: 'Lilies in July.', reason: 'archived or in the trash already' },
        { id: changed, title: 'Roses in June.', changedBy: { agentId: 'bob' } },
      ],
      leftCount: 2,
      kept: [{ operation: 'send-message', count: 1 }],
    })
    expect(await revert()).toMatchObject({ archived: [fresh], left: [], remaining: 0 })
    expect(await agent.read(changed)).toMatchObject({ status: 'active', importance: 5 })
  })

  it('does not count records deleted permanently since', async () => {
    const { person, inRun, write, preview, revert } = await start()
    const { noteId } = await inRun('create-note', { title: 'Sun' })
    const memoryId = await write('Violets want the full sun.')
    expect(await revert()).toMatchObject({ trashed: [noteId], archived: [memoryId] })
    expect(await preview()).toMatchObject({ matched: 0, leftCount: 2 })
    await person.call('erase-note', { id: noteId })
    expect(await preview()).toMatchObject({ matched: 0, left: [{ id: memoryId }], leftCount: 1, kept: [] })
    await person.call('erase-memory', { id: memoryId })
    expect(await preview()).toMatchObject({ matched: 0, left: [], leftCount: 0, kept: [] })
  })

  it('does not restore what the run itself wrote', async () => {
    const { agent, write, preview, revert } = await start()
    const old = await agent.write('The door code is 4711.')
    const first = await write('The door code is 1111.', { supersededById: old })
    const second = await write('The door code is 2222.', { supersededById: first })
    expect(await preview()).toMatchObject({ matched: 2, leftCount: 0 })
    expect(await revert()).toMatchObject({ archived: [second, first], broughtBack: [old], left: [], remaining: 0 })
    expect(await agent.search('door code')).toEqual([old])
  })

  it('keeps a memory superseded if its successor was changed since', async () => {
    const { person, agent, write, revert } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const first = await write('The gate opens at six.')
    const second = await write('The gate opens at seven.', { supersededById: first })
    await bob.call('update-memory', { memoryId: second, importance: 5 })
    expect(await revert()).toMatchObject({ archived: [], broughtBack: [] })
    expect(await agent.search('gate opens')).toEqual([second])
  })

  it('brings back what it superseded, however the same agent hides it afterwards', async () => {
    const { person, agent, inRun, write, preview, revert } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const writeBoth = async (word: string) => [
      await bob.write(`The ${word} gate opens at six.`),
      await bob.write(`The ${word} gate is made of oak.`),
    ]
    const supersede = async (word: string, supersededById: string) =>
      write(`The ${word} gate never opens.`, { supersededById })
    const [[archivedOld = '', alsoOld = ''], [laterOld = ''], [inRunOld = '']] = [
      await writeBoth('north'),
      await writeBoth('east'),
      await writeBoth('south'),
    ]
    const archived = await supersede('north', archivedOld)
    // It names only one that it superseded.
    await inRun('update-memory', { memoryId: archived, supersededById: alsoOld })
    await agent.call('archive-memory', { memoryId: archived })
    const later = await supersede('east', laterOld)
    const latest = await agent.write({ content: 'The east gate is gone.', supersededById: later })
    const last = await agent.write({
      content: 'The east gate has gone.',
      supersededById: latest,
      agentRunId: 'next day',
    })
    const before = await write('Gates of the south.')
    const during = await supersede('south', inRunOld)
    await inRun('update-memory', { memoryId: before, supersededById: during })
    expect(await agent.search('gate')).not.toContain(archivedOld)

    expect(await preview()).toMatchObject({ matched: 6, left: [], leftCount: 0 })
    const { archived: ids, broughtBack, ...rest } = await revert()
    expect(new Set(ids as string[])).toEqual(new Set([archived, later, latest, last, before, during]))
    expect(new Set(broughtBack as string[])).toEqual(new Set([archivedOld, alsoOld, laterOld, inRunOld]))
    expect(rest).toMatchObject({ left: [], remaining: 0 })
    for (const memoryId of broughtBack as string[])
      expect(await agent.read(memoryId)).toMatchObject({ status: 'active', supersededById: null })
    expect(await preview()).toMatchObject({ matched: 0, leftCount: 6 })
    expect(await revert()).toMatchObject({ archived: [], broughtBack: [], left: [] })
  })

  it('brings back what the run superseded with an older memory, which then supersedes only what it did before', async () => {
    const { person, agent, inRun, preview, revert } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const [oldest, tulips] = [await bob.write('Tulips come in March.'), await bob.write('Tulips come in April.')]
    const newer = await bob.write({ content: 'Tulips come in May.', supersededById: oldest })
    await inRun('update-memory', { memoryId: newer, supersededById: tulips, importance: 5 })
    expect(await agent.search('tulips')).toEqual([newer])
    expect(await preview()).toMatchObject({
      matched: 0,
      broughtBack: 1,
      broughtBackRecords: [{ type: 'memory', id: tulips, title: 'Tulips come in April.' }],
      left: [],
      kept: [],
    })
    const restored = [{ type: 'memory', id: newer }]
    expect(await revert()).toMatchObject({ archived: [], broughtBack: [tulips], restored, left: [], remaining: 0 })
    expect(await agent.read(tulips)).toMatchObject({ status: 'active', supersededById: null })
    expect(await agent.read(newer)).toMatchObject({ status: 'active', supersedesId: oldest })
    expect((await agent.search('tulips')).toSorted()).toEqual([tulips, newer].toSorted())
    expect(await preview()).toMatchObject({ broughtBack: 0 })
    expect(await revert()).toMatchObject({ broughtBack: [] })
  })

  it('does not bring back what another run superseded with an older memory', async () => {
    const { person, agent, inRun, preview } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const [old, newer] = [await bob.write('Irises want sun.'), await bob.write('Irises want shade.')]
    await agent.call('update-memory', { memoryId: newer, supersededById: old, agentRunId: 'good day' })
    await inRun('update-memory', { memoryId: newer, importance: 5 })
    expect(await preview()).toMatchObject({ broughtBack: 0, updates: [{ id: newer }] })
  })

  it('keeps a memory superseded if someone else replaced what the run wrote', async () => {
    const { person, agent, write, revert } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const old = await bob.write('Herons nest in March.')
    const wrong = await write('Herons nest in May.', { supersededById: old })
    const right = await bob.write({ content: 'Herons nest in April.', supersededById: wrong })
    await agent.write({ content: 'Herons never nest.', supersededById: right })
    expect(await revert()).toMatchObject({ archived: [], broughtBack: [] })
    expect(await agent.read(old)).toMatchObject({ supersededById: wrong })
  })

  it('takes back what it wrote although the same agent lets a memory of someone else supersede it', async () => {
    const { person, agent, write, preview, revert } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const old = await bob.write('Herons nest in March.')
    const other = await bob.write('Storks nest on roofs.')
    const wrong = await write('Herons nest in May.', { supersededById: old })
    await agent.call('update-memory', { memoryId: other, supersededById: wrong })
    expect(await preview()).toMatchObject({ matched: 1, left: [] })
    expect(await revert()).toMatchObject({ archived: [wrong], broughtBack: [old] })
    expect(await agent.read(old)).toMatchObject({ status: 'active' })
    // Of bob alone: then it is his decision.
    const wronger = await write('Herons nest in June.')
    await bob.call('update-memory', { memoryId: other, supersededById: wronger })
    expect(await preview()).toMatchObject({
      matched: 0,
      left: expect.arrayContaining([
        expect.objectContaining({ id: wronger, changedBy: expect.objectContaining({ agentId: 'bob' }) }),
      ]),
    })
  })

  it('names what stays and why, such as a task that someone else has blocked', async () => {
    const { person, inRun, preview, revert } = await start()
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const { taskId } = await inRun('create-task', { title: 'Open the gate' })
    await bob.call('update-task', { taskId, status: 'blocked', blockedReason: 'It rains.' })
    await inRun('send-message', { targetId: 'user', content: 'The gate is open.' })
    const kept = {
      id: taskId,
      title: 'Open the gate',
      reason: 'someone else changed its status',
      changedBy: { agentId: 'bob', route: 'update-task' },
    }
    expect(await preview()).toMatchObject({ matched: 0, left: [kept], leftCount: 1 })
    const messages = [{ operation: 'send-message', count: 1 }]
    expect(await revert()).toMatchObject({ archived: [], keptRecords: [kept], keptCount: 1, kept: messages })
  })

  it("does not affect another agent's run with the same id", async () => {
    const { person, agent, write, revert, onRun } = await start()
    const mine = await write('Violets want shade.')
    const bob = await startAgent(test(), { user: person.user, agentId: 'bob' })
    const his = await bob.write({ content: 'Crows eat cherries.', agentRunId: 'bad day' })
    expect(await onRun('list-runs')).toMatchObject({ memories: [{ memoryId: mine }], memoryCount: 1 })
    expect(await revert()).toMatchObject({ archived: [mine], remaining: 0 })
    expect(await agent.read(his)).toMatchObject({ status: 'active' })
  })

  it('reverts fifty records per call', async () => {
    const { write, preview, revert } = await start()
    for (let n = 0; n < 52; n++) await write(`Seed number ${n} of a bag that was counted.`)
    expect(await preview()).toMatchObject({ matched: 52, records: { length: 50 } })
    expect(await revert()).toMatchObject({ archived: { length: 50 }, remaining: 2 })
    expect(await revert()).toMatchObject({ archived: { length: 2 }, remaining: 0 })
  })
})
