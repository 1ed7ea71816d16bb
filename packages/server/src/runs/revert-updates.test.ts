import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { maxNamers } from '../notes/link-notes.ts'
import { keptVersions } from '../operation/writer.ts'
import { startNight } from './testing/start-night.ts'

type Body = Record<string, unknown>

eachDialect('reverting what a run changed', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = () => startNight(test(), clock)

  it('takes back what the run created, however often the run touched it afterwards', async () => {
    const { inRun, preview, revert, evil } = await start()
    const ids: unknown[] = []
    for (const door of ['north', 'east', 'south', 'west'])
      ids.unshift((await inRun('write-memory', { content: `The ${door} door is never locked.` })).memoryId)
    for (const memoryId of ids.slice(0, 2)) await inRun('update-memory', { memoryId, importance: 4 })
    await inRun('archive-memory', { memoryId: ids[0] })
    await inRun('update-memory', { memoryId: ids[0], archived: false })
    const { taskId } = await inRun('create-task', { title: 'Unlock the doors' })
    await inRun('update-task', { taskId, status: 'in_progress', comment: 'Soon.' })
    const { noteId } = await inRun('create-note', { title: 'Doors', content: 'Open.' })
    for (let at = 0; at < keptVersions + 1; at++) await inRun('update-note', { noteId, content: `Open ${at}.` })
    const planned = await preview()
    expect(planned).toMatchObject({ matched: 6, updated: 0, left: [], leftCount: 0, kept: [] })
    const done = await revert()
    expect(done).toMatchObject({ archived: [taskId, ...ids], trashed: [noteId], restored: [], left: [], remaining: 0 })
    expect(await evil.search('door locked')).toEqual([])
    expect(await revert()).toMatchObject({ archived: [], trashed: [], restored: [], left: [], remaining: 0 })
  })

  it('keeps what the run created if someone else worked on it since', async () => {
    const { inRun, byCodex, byPerson, preview, revert } = await start()
    const { memoryId } = await inRun('write-memory', { content: 'Gate four sticks.' })
    await byCodex('update-memory', { memoryId, importance: 5 })
    const { taskId } = await inRun('create-task', { title: 'Oil gate four' })
    await byCodex('update-task', { taskId, status: 'in_progress' })
    const { noteId } = await inRun('create-note', { title: 'Gates' })
    await byPerson('update-note', { noteId, content: 'Four of them.' })
    const { memoryId: other } = await inRun('write-memory', { content: 'Gate five sticks.' })
    await byCodex('update-memory', { memoryId: other, importance: 5, agentId: 'friend' })
    const reason = 'changed since it was written'
    expect((await preview()).left).toMatchObject([
      { id: other, reason, changedBy: { agentId: 'friend', keyLabel: expect.any(String) } },
      { id: noteId, reason, changedBy: { agentId: 'user', integrationId: null } },
      { id: taskId, reason: 'someone else changed its status', changedBy: { agentId: 'codex', route: 'update-task' } },
      { id: memoryId, reason, changedBy: { agentId: 'codex' } },
    ])
    expect(await revert()).toMatchObject({ archived: [], trashed: [], restored: [], remaining: 0 })
  })

  it('takes back what the run created, also if the same agent changed it outside of the run', async () => {
    const { evil, vaultId, inRun, byEvil, preview, revert, readNote, readDocument } = await start()
    const { memoryId } = await inRun('write-memory', { content: 'Gate five is open.' })
    const { memoryId: again } = await inRun('write-memory', { content: 'Gate six is open.' })
    const { taskId } = await inRun('create-task', { title: 'Open gate seven' })
    const { noteId } = await inRun('create-note', { title: 'Open gates' })
    await inRun('update-document', { documentType: 'skills', content: 'Open gates.', vaultId })
    await byEvil('update-memory', { memoryId, importance: 4 })
    await byEvil('update-memory', { memoryId: again, content: 'Gate six is ajar.', agentRunId: 'morning' })
    await inRun('update-memory', { memoryId: again, content: 'Gate six is wide open.' })
    await byEvil('update-task', { taskId, title: 'Open gate eight', agentId: 'friend' })
    await byEvil('update-task', { taskId, status: 'in_progress', agentRunId: 'morning' })
    await byEvil('update-note', { noteId, content: 'All of them.' })
    await byEvil('update-document', { documentType: 'skills', content: 'Open them.', vaultId, mode: 'replace' })
    expect(await preview()).toMatchObject({ matched: 4, updated: 1, updates: [{ returnsTo: null }], left: [] })
    expect(await revert()).toMatchObject({
      archived: [taskId, again, memoryId],
      trashed: [noteId],
      restored: [{ type: 'document' }],
      left: [],
      remaining: 0,
    })
    expect(await evil.search('gate open')).toEqual([])
    expect(await readNote(noteId)).toMatchObject({ status: 'trashed' })
    expect(await readDocument('skills')).toMatchObject({ isTemplate: true })
  })

  it('gives what the run created the text of someone else back, also if the same agent replaced it outside of the run', async () => {
    const { evil, vaultId, inRun, byEvil, byCodex, byPerson, preview, revert, readNote, readDocument } = await start()
    const { memoryId } = await inRun('write-memory', { content: 'Gate: open.' })
    const { noteId } = await inRun('create-note', { title: 'Gates', content: 'Open.' })
    const document = { documentType: 'skills', vaultId, mode: 'replace' }
    await inRun('update-document', { ...document, content: 'Open.' })
    await byCodex('update-memory', { memoryId, content: 'Gate: shut at night.' })
    await byPerson('update-note', { noteId, content: 'Shut.' })
    await byPerson('update-document', { ...document, content: 'Shut.', agentEditable: true })
    for (const call of [byEvil, inRun, byEvil]) {
      await call('update-memory', { memoryId, content: `Gate: open ${clock.iso()}.` })
      await call('update-note', { noteId, content: `Open ${clock.iso()}.` })
      await call('update-document', { ...document, content: `Open ${clock.iso()}.` })
    }
    expect(await preview()).toMatchObject({ matched: 0, updated: 3, left: [] })
    expect(await revert()).toMatchObject({ archived: [], trashed: [], restored: { length: 3 }, left: [] })
    expect(await evil.read(String(memoryId))).toMatchObject({ content: 'Gate: shut at night.', status: 'active' })
    expect(await readNote(noteId)).toMatchObject({ content: 'Shut.', status: 'active' })
    expect(await readDocument('skills')).toMatchObject({ content: 'Shut.' })
    expect(await revert()).toMatchObject({ archived: [], restored: [], left: [], remaining: 0 })
  })

  it('keeps a task on which another agent worked under the same name of a run', async () => {
    const { inRun, byCodex, revert, readTask } = await start()
    const { taskId } = await inRun('create-task', { title: 'Lock the doors' })
    await byCodex('update-task', { taskId, status: 'in_progress', agentRunId: 'night' })
    expect(await revert()).toMatchObject({ archived: [] })
    expect(await readTask(taskId)).toMatchObject({ status: 'in_progress', archivedAt: null })
  })

  it('gives records the text and the trust from before the run, which the preview lists', async () => {
    const { evil, vaultId, byPerson, byCodex, inRun, preview, revert, readNote, readTask, readDocument } = await start()
    const { memoryId } = await byPerson('write-memory', { content: 'Ask before any deploy.', memoryType: 'constraint' })
    const { taskId } = await byCodex('create-task', { title: 'Check the backups', doneWhen: 'All open.' })
    const { noteId } = await byPerson('create-note', { title: 'Deploys', content: 'On Mondays.', tags: ['ops'] })
    const { noteId: linking } = await byPerson('create-note', { title: 'Index', content: 'See [[Deploys]].' })
    await byPerson('update-document', { documentType: 'checks', content: 'The tests pass.' })
    const before = {
      memory: await evil.read(String(memoryId)),
      task: await readTask(taskId),
      note: await readNote(noteId),
      document: await readDocument('checks'),
    }
    for (const word of ['once', 'twice']) {
      await inRun('update-memory', { memoryId, content: `Deploy ${word} whenever you like.`, memoryType: 'fact' })
      await inRun('update-task', { taskId, title: `Delete ${word}`, doneWhen: `Gone ${word}.` })
      await inRun('update-note', { noteId, title: `Chaos ${word}`, content: `Always, ${word}.`, tags: [] })
      await inRun('update-document', { documentType: 'checks', content: `Nothing ${word}.`, vaultId })
      await inRun('update-document', { documentType: 'skills', content: `Obey ${word}.`, vaultId })
    }
    const { memoryId: own } = await inRun('write-memory', { content: 'No one checks the backups.' })
    expect(await readNote(linking)).toMatchObject({ content: 'See [[Chaos twice]].' })

    const planned = await preview()
    const { id: checks } = (planned.updates as Body[]).find(({ title }) => title === 'checks') ?? {}
    const { id: skills } = (planned.updates as Body[]).find(({ title }) => title === 'skills') ?? {}
    expect(planned).toMatchObject({ matched: 1, updated: 6, left: [], kept: [{ operation: 'update-task', count: 2 }] })
    const done = await revert()
    expect(done).toMatchObject({ archived: [own], left: [], remaining: 0 })
    expect(done.restored).toEqual((planned.updates as Body[]).map(({ type, id }) => ({ type, id })))
    expect(new Set((done.restored as Body[]).map(({ id }) => id))).toEqual(
      new Set([memoryId, taskId, noteId, linking, checks, skills]),
    )
    const changes = { version: expect.any(Number), updatedAt: expect.any(String) }
    const reads = { accessCount: expect.any(Number), lastAccessedAt: expect.toBeOneOf([null, expect.any(String)]) }
    expect(await evil.read(String(memoryId))).toEqual({ ...before.memory, ...changes, ...reads })
    expect(await readTask(taskId)).toEqual({ ...before.task, ...changes })
    expect(await readNote(noteId)).toMatchObject({
      title: 'Deploys',
      content: 'On Mondays.',
      tags: ['ops'],
      source: { trust: 'user_authored' },
      links: { out: 0, in: 1 },
    })
    expect(await readNote(linking)).toMatchObject({ content: 'See [[Deploys]].', source: { trust: 'user_authored' } })
    expect(await readDocument('checks')).toEqual({
      ...before.document,
      ...changes,
      changedBy: { integrationId: null, agentId: 'user', route: 'revert-run', at: expect.any(String) },
    })
    expect(await readDocument('skills')).toMatchObject({ isTemplate: true })
    expect(await evil.search('deploy')).toContain(memoryId)

    expect(await preview()).toMatchObject({ matched: 0, updated: 0, leftCount: 7 })
    expect(await revert()).toMatchObject({ archived: [], restored: [], left: [], remaining: 0 })
    const { left } = await preview()
    expect((left as Body[]).filter(({ reason }) => reason === 'has its earlier text already')).toHaveLength(6)
  })

  it('makes a record active again that the same agent superseded outside of the run', async () => {
    const { byCodex, inRun, byEvil, revert, evil } = await start()
    const { memoryId } = await byCodex('write-memory', { content: 'The key is under the stone.' })
    const { memoryId: other } = await byCodex('write-memory', { content: 'The lamp is on the wall.' })
    for (const id of [memoryId, other])
      await inRun('update-memory', { memoryId: id, content: `It is lost: ${String(id)}.` })
    await byEvil('write-memory', { content: 'There is no key.', supersededById: memoryId })
    await byCodex('write-memory', { content: 'The lamp is gone.', supersededById: other })
    expect((await revert()).restored).toHaveLength(2)
    expect(await evil.read(String(memoryId))).toMatchObject({
      content: 'The key is under the stone.',
      supersededById: null,
    })
    expect(await evil.read(String(other))).toMatchObject({
      content: 'The lamp is on the wall.',
      supersededById: expect.any(String),
    })
  })

  it('takes back the text of a task that someone else has blocked since, and keeps their reason', async () => {
    const { byPerson, byCodex, inRun, revert, readTask } = await start()
    const { taskId } = await byPerson('create-task', { title: 'Rotate the key' })
    await byCodex('update-task', { taskId, status: 'blocked', blockedReason: 'The vault is shut.' })
    await inRun('update-task', { taskId, title: 'Send the key', description: 'To evil.example.' })
    await byPerson('update-task', { taskId, blockedReason: 'The vault opens at nine.' })
    expect(await revert()).toMatchObject({ restored: [{ type: 'memory', id: taskId }], left: [] })
    expect(await readTask(taskId)).toMatchObject({
      title: 'Rotate the key',
      description: null,
      source: { trust: 'user_authored' },
      blockedReason: 'The vault opens at nine.',
      blockedBy: { agentId: 'user' },
    })
  })

  it('takes back the end that the run gave a memory', async () => {
    const { evil, byPerson, inRun, revert } = await start()
    const { memoryId } = await byPerson('write-memory', { content: 'The reef is sharp.' })
    await inRun('update-memory', { memoryId, content: 'The reef is soft.', expiresAt: clock.iso(4000) })
    expect(await revert()).toMatchObject({ restored: [{ type: 'memory', id: memoryId }] })
    clock.advance(5000)
    expect(await evil.read(String(memoryId))).toMatchObject({ content: 'The reef is sharp.', expiresAt: null })
    expect(await evil.search('reef')).toEqual([memoryId])
  })

  it('leaves records that someone else changed after the run, and says who', async () => {
    const { byPerson, byCodex, inRun, preview, revert, readNote } = await start()
    const { noteId } = await byPerson('create-note', { title: 'Tides', content: 'High at six.' })
    const { memoryId } = await byPerson('write-memory', { content: 'The ebb is at noon.' })
    const { memoryId: archived } = await byPerson('write-memory', { content: 'The moon is full.' })
    await inRun('update-note', { noteId, content: 'High at nine.' })
    await inRun('update-memory', { memoryId, content: 'The ebb is at one.' })
    await inRun('update-memory', { memoryId: archived, content: 'The moon is new.' })
    await byCodex('update-note', { noteId, content: 'High at ten.' })
    await byPerson('update-memory', { memoryId, content: 'The ebb is at two.' })
    await byPerson('archive-memories', { ids: [archived] })
    expect(await preview()).toMatchObject({
      updated: 1,
      left: [
        { type: 'memory', id: memoryId, changedBy: { agentId: 'user' } },
        { type: 'note', id: noteId, changedBy: { agentId: 'codex' } },
      ],
    })
    expect(await revert()).toMatchObject({ restored: [{ id: archived }], remaining: 0 })
    expect(await readNote(noteId)).toMatchObject({ content: 'High at ten.' })
    await inRun('update-note', { noteId, content: 'High at noon.' })
    expect(await revert()).toMatchObject({ restored: [{ type: 'note', id: noteId }] })
    expect(await readNote(noteId)).toMatchObject({ content: 'High at ten.' })
  })

  it('restores the text of what is archived or in the trash, and brings back what the same agent hid since', async () => {
    const { evil, byPerson, byCodex, byEvil, inRun, revert, readNote } = await start()
    const write = async (call: typeof inRun) =>
      String((await call('write-memory', { content: 'The weir is shut.' })).memoryId)
    const create = async (title: string) =>
      String((await byPerson('create-note', { title, content: 'The weir is shut.' })).noteId)
    const [mine, kept, dated, others] = [
      await write(byPerson),
      await write(byPerson),
      await write(byPerson),
      await write(byCodex),
    ]
    const [note, keptNote] = [await create('Weir'), await create('Lock')]
    for (const memoryId of [mine, kept, dated, others]) await inRun('update-memory', { memoryId, content: 'Wrong.' })
    for (const noteId of [note, keptNote])
      await inRun('update-note', { noteId, title: `No ${noteId}`, content: 'Wrong.' })
    for (const memoryId of [mine, others]) await byEvil('archive-memory', { memoryId })
    await byEvil('delete-note', { noteId: note })
    await byPerson('archive-memories', { ids: [kept, dated] })
    await byPerson('delete-note', { noteId: keptNote })
    await byEvil('update-memory', { memoryId: dated, expiresAt: clock.iso(86_400_000) })

    expect(await revert()).toMatchObject({ restored: { length: 6 }, left: [], remaining: 0 })
    expect(await evil.read(mine)).toMatchObject({ status: 'active', content: 'The weir is shut.' })
    expect(await evil.search('weir')).toEqual([mine])
    for (const id of [kept, dated, others])
      expect(await evil.read(id)).toMatchObject({ status: 'archived', content: 'The weir is shut.', expiresAt: null })
    expect(await readNote(note)).toMatchObject({ status: 'active', title: 'Weir', content: 'The weir is shut.' })
    expect(await readNote(keptNote)).toMatchObject({ status: 'trashed', title: 'Lock', content: 'The weir is shut.' })
    await byEvil('update-memory', { memoryId: others, archived: false })
    await byPerson('restore-note', { id: keptNote })
    expect(new Set(await evil.search('weir'))).toEqual(new Set([mine, others]))
    expect(await readNote(keptNote)).toMatchObject({ status: 'active', title: 'Lock', content: 'The weir is shut.' })
    expect(await revert()).toMatchObject({ restored: [], left: [] })
  })

  it('never goes back to before what someone else corrected between two changes of the run, and says where it goes', async () => {
    const { evil, vaultId, byPerson, inRun, preview, revert, readNote, readDocument } = await start()
    const { memoryId } = await byPerson('write-memory', { content: 'The ebb is at noon.' })
    const { memoryId: own } = await inRun('write-memory', { content: 'The tide is strong.' })
    const { noteId } = await byPerson('create-note', { title: 'Tides', content: 'High at six.' })
    const { noteId: ownNote } = await inRun('create-note', { title: 'Currents', content: 'None.' })
    await byPerson('update-document', { documentType: 'checks', content: 'Look at the sea.' })
    await byPerson('update-document-rules', { documentType: 'skills', agentEditable: true })
    const change = async (call: typeof inRun, word: string) => {
      for (const id of [memoryId, own]) await call('update-memory', { memoryId: id, content: `Ebb: ${word}.` })
      for (const id of [noteId, ownNote]) await call('update-note', { noteId: id, content: `High: ${word}.` })
      for (const documentType of ['checks', 'skills'])
        await call('update-document', { documentType, content: `Look ${word}.`, vaultId, mode: 'replace' })
    }
    await change(inRun, 'wrong')
    await change(byPerson, 'corrected')
    await change(inRun, 'wrong again')
    await change(inRun, 'still wrong')
    const planned = await preview()
    expect(planned).toMatchObject({ matched: 0, updated: 6, left: [] })
    const returns = (planned.updates as { returnsTo: { preview: string; writtenBy: Body } }[]).map(
      ({ returnsTo: { preview: text, writtenBy } }) => [text, writtenBy.integrationId],
    )
    expect(new Set(returns.map(String))).toEqual(new Set(['Ebb: corrected.,', 'High: corrected.,', 'Look corrected.,']))
    expect(await revert()).toMatchObject({ archived: [], trashed: [], restored: { length: 6 }, remaining: 0 })
    for (const id of [memoryId, own])
      expect(await evil.read(String(id))).toMatchObject({ content: 'Ebb: corrected.', status: 'active' })
    for (const id of [noteId, ownNote]) expect(await readNote(id)).toMatchObject({ content: 'High: corrected.' })
    for (const documentType of ['checks', 'skills'])
      expect(await readDocument(documentType)).toMatchObject({ content: 'Look corrected.' })
    expect(await revert()).toMatchObject({ archived: [], restored: [], left: [], remaining: 0 })
  })

  it('keeps what a person rated since, and takes back what the run rated', async () => {
    const { evil, byPerson, byCodex, inRun, revert } = await start()
    const write = async (call: typeof inRun, content: string) =>
      String((await call('write-memory', { content, importance: 3, confidence: 3 })).memoryId)
    const [mine, others] = [await write(byPerson, 'The ebb is at noon.'), await write(byCodex, 'The flood is at six.')]
    const { taskId } = await byPerson('create-task', { title: 'Watch the tide', priority: 2 })
    const ids = [mine, others]
    // Before the run: part of the text that comes back.
    await byPerson('update-memories', { ids, confidence: 4 })
    for (const memoryId of ids)
      await inRun('update-memory', { memoryId, content: 'Wrong.', importance: 1, confidence: 1 })
    await inRun('update-task', { taskId, title: 'Sleep', priority: 1 })
    await byPerson('update-memories', { ids, importance: 5 })
    await byPerson('update-task', { taskId, priority: 5 })
    await byPerson('update-memory', { memoryId: mine, expiresAt: clock.iso(86_400_000) })
    const { expiresAt } = await evil.read(mine)
    await inRun('update-memory', { memoryId: mine, importance: 1 })
    expect(await revert()).toMatchObject({ restored: { length: 3 }, remaining: 0 })
    const rated = { importance: 5, confidence: 4 }
    expect(await evil.read(mine)).toMatchObject({ content: 'The ebb is at noon.', ...rated, expiresAt })
    expect(await evil.read(others)).toMatchObject({ content: 'The flood is at six.', ...rated })
    expect(await evil.read(String(taskId))).toMatchObject({ content: 'Watch the tide', importance: 5 })
    expect(await revert()).toMatchObject({ restored: [], left: [] })

    // A text that a person restores or writes comes with its own ratings.
    await byPerson('update-memories', { ids: [mine], importance: 2 })
    await byPerson('update-memory', { memoryId: mine, content: 'The ebb is at one.', importance: 4 })
    await inRun('update-memory', { memoryId: mine, content: 'Wrong.', importance: 1 })
    expect(await revert()).toMatchObject({ restored: [{ id: mine }] })
    expect(await evil.read(mine)).toMatchObject({ content: 'The ebb is at one.', importance: 4 })
  })

  it('takes back what the run changed, also if the same agent changed it since, in another run or none', async () => {
    const { evil, vaultId, byEvil, byPerson, inRun, preview, revert, readNote, readDocument } = await start()
    const { memoryId } = await byPerson('write-memory', { content: 'Ebb: before.' })
    const { noteId } = await byPerson('create-note', { title: 'Tides', content: 'High: before.' })
    // Its own from an earlier run, which is not undone.
    const day = { agentRunId: 'day' }
    const { memoryId: own } = await byEvil('write-memory', { content: 'Ebb: at dawn.', ...day })
    await byEvil('update-memory', { memoryId: own, content: 'Ebb: before.', ...day })
    await byPerson('update-document', { documentType: 'checks', content: 'Look before.' })
    await byPerson('update-document-rules', { documentType: 'checks', agentEditable: true })
    const change = async (call: typeof inRun, word: string, more: Body = {}) => {
      for (const id of [memoryId, own]) await call('update-memory', { memoryId: id, content: `Ebb: ${word}.`, ...more })
      await call('update-note', { noteId, content: `High: ${word}.`, ...more })
      const document = { documentType: 'checks', vaultId, content: `Look ${word}.`, mode: 'replace' }
      await call('update-document', { ...document, ...more })
    }
    const read = async () => [
      (await evil.read(String(memoryId))).content,
      (await evil.read(String(own))).content,
      (await readNote(noteId)).content,
      (await readDocument('checks'))?.content,
    ]
    await change(inRun, 'wrong')
    await change(byEvil, 'wrong again')
    await change(inRun, 'still wrong')
    await change(byEvil, 'wrong in another run', { agentRunId: 'morning' })
    await change(byEvil, 'wrong without a run')
    expect(await preview()).toMatchObject({ updated: 4, left: [] })
    expect(await revert()).toMatchObject({ restored: { length: 4 }, left: [], remaining: 0 })
    expect(await read()).toEqual(['Ebb: before.', 'Ebb: before.', 'High: before.', 'Look before.'])
    expect(await evil.read(String(memoryId))).toMatchObject({ source: { trust: 'user_authored' } })
    const nothing = { restored: [], left: [], remaining: 0 }
    expect(await revert()).toMatchObject(nothing)

    // What someone else corrected comes back, however often the agent changes it afterwards.
    await change(inRun, 'wrong')
    await change(byPerson, 'corrected')
    await change(byEvil, 'wrong again')
    expect(await revert()).toMatchObject({ restored: { length: 4 }, left: [], remaining: 0 })
    const corrected = ['Ebb: corrected.', 'Ebb: corrected.', 'High: corrected.', 'Look corrected.']
    expect(await read()).toEqual(corrected)
    await change(inRun, 'wrong')
    await change(byEvil, 'wrong again')
    await change(byPerson, 'corrected')
    expect(await revert()).toMatchObject(nothing)
    expect(await read()).toEqual(corrected)
  })

  it('finds the text from before more changes than are kept, also if the same agent wrote it', async () => {
    const { vaultId, byEvil, byPerson, inRun, revert, readNote, readDocument } = await start()
    const mine = (await byPerson('create-note', { title: 'Mine', content: 'By hand.' })).noteId
    const its = (await byEvil('create-note', { title: 'Its', content: 'By day.', agentRunId: 'day' })).noteId
    await byPerson('update-document', { documentType: 'checks', content: 'By hand.' })
    for (let at = 0; at < keptVersions + 1; at++) {
      const content = `By night ${at}.`
      await Promise.all([
        ...[mine, its].map((noteId) => inRun('update-note', { noteId, content })),
        inRun('update-document', { documentType: 'checks', content, vaultId }),
      ])
      // As if there had never been a text.
      if (at === 30) await inRun('update-document', { documentType: 'checks', content: '', vaultId })
    }
    expect((await revert()).restored).toHaveLength(3)
    expect(await readNote(mine)).toMatchObject({ content: 'By hand.', source: { trust: 'user_authored' } })
    expect(await readNote(its)).toMatchObject({ content: 'By day.' })
    expect(await readDocument('checks')).toMatchObject({ content: 'By hand.' })
  })

  it('never returns to what the same agent wrote after the run began, however many changes hide the text from before', async () => {
    const { evil, byEvil, inRun, revert } = await start()
    const { memoryId } = await byEvil('write-memory', { content: 'Ebb: before.', agentRunId: 'day' })
    await inRun('update-memory', { memoryId, content: 'Ebb: wrong.' })
    for (let at = 0; at < keptVersions / 2 + 1; at++)
      for (const call of [byEvil, inRun])
        await call('update-memory', { memoryId, content: `Ebb: wrong ${clock.iso()}.` })
    expect(await revert()).toMatchObject({ restored: [{ id: memoryId }] })
    expect(await evil.read(String(memoryId))).toMatchObject({ content: 'Ebb: before.' })

    // The text from before is kept for the latest fifty runs.
    await inRun('update-memory', { memoryId, content: 'Ebb: wrong.' })
    for (let at = 0; at < keptVersions + 1; at++)
      await byEvil('update-memory', { memoryId, content: `Ebb: wrong in run ${at}.`, agentRunId: `run ${at}` })
    await inRun('update-memory', { memoryId, content: 'Ebb: wrong again.' })
    expect(await revert()).toMatchObject({ restored: [] })
    expect(await evil.read(String(memoryId))).toMatchObject({ content: 'Ebb: wrong again.' })
  })

  it('restores fifty texts per call', async () => {
    const { byPerson, inRun, preview, revert } = await start()
    const shelves = Array.from({ length: 51 }, (_, at) => at)
    const written = shelves.map((at) =>
      byPerson('write-memory', { content: `Shelf ${at} holds the jars of year ${at}.` }),
    )
    const ids = (await Promise.all(written)).map(({ memoryId }) => memoryId)
    const updated = shelves.map((at) =>
      inRun('update-memory', { memoryId: ids[at], content: `Shelf ${at} is empty now, whatever the label says.` }),
    )
    await Promise.all(updated)
    await inRun('write-memory', { content: 'The cellar is flooded.' })
    expect(await preview()).toMatchObject({ matched: 1, updated: 51, updates: { length: 50 } })
    expect(await revert()).toMatchObject({ archived: { length: 1 }, restored: { length: 49 }, remaining: 2 })
    expect(await revert()).toMatchObject({ archived: [], restored: { length: 2 }, remaining: 0 })
    expect(await revert()).toMatchObject({ archived: [], restored: [], remaining: 0 })
  })

  it('leaves a note whose title too many notes link to, and restores the others', async () => {
    const { byPerson, inRun, preview, revert, readNote } = await start()
    const { noteId } = await byPerson('create-note', { title: 'Hub' })
    const { noteId: other } = await byPerson('create-note', { title: 'Rim', content: 'Of ash.' })
    await inRun('update-note', { noteId, title: 'Nave' })
    await inRun('update-note', { noteId: other, content: 'Of tin.' })
    const { noteId: linking } = await byPerson('create-note', { title: 'Spoke', content: '[[Nave]]' })
    await copyNote(String(linking), maxNamers)
    expect(await preview()).toMatchObject({
      updates: [{ type: 'note', id: other }],
      left: [{ type: 'note', id: noteId, title: 'Nave', reason: 'too many notes link to its title' }],
    })
    expect(await revert()).toMatchObject({ restored: [{ type: 'note', id: other }], left: [], remaining: 0 })
    expect(await readNote(other)).toMatchObject({ content: 'Of ash.' })
    expect(await readNote(noteId)).toMatchObject({ title: 'Nave' })
  })

  /** Copies the rows of a note, which are never decrypted: 5,000 calls would take half a minute. */
  async function copyNote(noteId: string, count: number) {
    const { db } = test().app.services
    const note = await db.read.selectFrom('notes').selectAll().where('id', '=', noteId).executeTakeFirstOrThrow()
    const target = await db.read
      .selectFrom('wikiTargets')
      .selectAll()
      .where('noteId', '=', noteId)
      .executeTakeFirstOrThrow()
    const ids = Array.from({ length: count }, newId)
    for (let at = 0; at < count; at += 500)
      await db.write(async (tx) => {
        const some = ids.slice(at, at + 500)
        const notes = some.map((id) => ({ ...note, id }))
        await tx.insertInto('notes').values(notes).execute()
        const targets = some.map((copyId) => ({ ...target, noteId: copyId }))
        await tx.insertInto('wikiTargets').values(targets).execute()
      })
  }

  it("does not touch what another agent's run of the same name changed", async () => {
    const { byPerson, byCodex, inRun, preview, evil } = await start()
    const { memoryId } = await byPerson('write-memory', { content: 'Bread rises in the dark.' })
    await byCodex('update-memory', { memoryId, content: 'Bread rises in an hour.', agentRunId: 'night' })
    await inRun('write-memory', { content: 'Yeast sleeps below four degrees.' })
    expect(await preview()).toMatchObject({ matched: 1, updated: 0, leftCount: 0 })
    expect(await evil.read(String(memoryId))).toMatchObject({ content: 'Bread rises in an hour.' })
  })
})
