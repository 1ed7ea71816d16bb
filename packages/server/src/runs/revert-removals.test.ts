import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock } from '../../test/scenarios.ts'
import { startNight } from './testing/start-night.ts'

eachDialect('reverting what a run removed', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const start = () => startNight(test(), clock)

  it('brings back what people wrote and the run archived or moved to the trash, unless a person decided about it since', async () => {
    const { evil, byPerson, byCodex, byEvil, inRun, preview, revert, readNote, readTask } = await start()
    const write = async (call: typeof inRun) =>
      String((await call('write-memory', { content: `The weir is shut at ${clock.iso()}.` })).memoryId)
    const [mine, agents, earlier, both, kept, changed, replaced] = [
      await write(byPerson),
      await write(byCodex),
      await write(byPerson),
      await write(byPerson),
      await write(byPerson),
      await write(byPerson),
      await write(byPerson),
    ]
    const { taskId } = await byPerson('create-task', { title: 'Shut the weir' })
    const create = async (title: string) => String((await byPerson('create-note', { title })).noteId)
    const [note, restored] = [await create('Weir'), await create('Lock')]
    await byEvil('archive-memory', { memoryId: earlier })
    const own = await write(inRun)
    for (const memoryId of [mine, agents, both, kept, changed, taskId, own]) await inRun('archive-memory', { memoryId })
    await inRun('write-memory', { content: 'The weir is open.', supersededById: replaced })
    await inRun('archive-memory', { memoryId: replaced })
    for (const noteId of [note, restored]) await inRun('delete-note', { noteId })
    // The same agent can't protect what it did by one more call.
    await byEvil('update-memory', { memoryId: mine, importance: 1 })
    await byPerson('update-memory', { memoryId: both, archived: false })
    await byEvil('archive-memory', { memoryId: both })
    await byPerson('decide-review', { kind: 'removed', decision: 'keep', ids: [kept] })
    await byPerson('update-memory', { memoryId: changed, content: 'The weir was shut.' })
    await byPerson('restore-note', { id: restored })
    await byPerson('delete-note', { noteId: restored })

    const planned = await preview()
    expect(planned).toMatchObject({
      matched: 1,
      broughtBack: 5,
      leftCount: 1,
      kept: [
        { operation: 'archive-memory', count: 2 },
        { operation: 'delete-note', count: 1 },
      ],
    })
    expect(planned.left).toMatchObject([{ id: own, reason: 'archived or in the trash already' }])
    const done = await revert()
    expect(new Set(done.broughtBack as string[])).toEqual(new Set([note, taskId, both, mine, changed, replaced]))
    for (const id of [mine, both, replaced]) expect(await evil.read(id)).toMatchObject({ status: 'active' })
    expect(await evil.read(changed)).toMatchObject({ status: 'active', content: 'The weir was shut.' })
    for (const id of [agents, earlier, kept, own]) expect([id, (await evil.read(id)).status]).toEqual([id, 'archived'])
    expect(await readTask(taskId)).toMatchObject({ archivedAt: null })
    expect(await readNote(note)).toMatchObject({ status: 'active' })
    expect(await readNote(restored)).toMatchObject({ status: 'trashed' })
    expect(await revert()).toMatchObject({ archived: [], broughtBack: [], restored: [], remaining: 0 })
  })

  it('brings back all memories of people that the run cleaned up, in several calls', async () => {
    const { evil, byPerson, byEvil, inRun, preview, revert } = await start()
    const ids: string[] = []
    for (let at = 0; at < 52; at++)
      ids.push(String((await byPerson('write-memory', { content: `Sluice ${at} leaks.`, importance: 1 })).memoryId))
    const clean = { maxImportance: 1, dryRun: false }
    const { memoryId: earlier } = await byPerson('write-memory', { content: 'The old sluice.', importance: 1 })
    await byEvil('archive-memory', { memoryId: earlier })
    expect(await inRun('cleanup-memories', clean)).toMatchObject({ archived: 52 })
    expect(await preview()).toMatchObject({ matched: 0, broughtBack: 52, left: [] })
    expect(await revert()).toMatchObject({ broughtBack: { length: 50 }, remaining: 2 })
    expect(await revert()).toMatchObject({ broughtBack: { length: 2 }, remaining: 0 })
    for (const id of [ids[0], ids[51]]) expect(await evil.read(String(id))).toMatchObject({ status: 'active' })
    expect(await evil.read(String(earlier))).toMatchObject({ status: 'archived' })
  })
})
