import { v7 } from 'uuid'
import { expect, it } from 'vitest'
import { agentCall, browse } from '../../test/activity.ts'
import { startTestApp } from '../../test/app.ts'
import { ownerEmail, ownerPassword } from '../../test/dashboard-app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makePerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { applyRetention } from '../jobs/apply-retention.ts'
import { expireMemories } from '../jobs/list-jobs.ts'
import { createActivity } from '../calls/activity.ts'
import { insertEntry } from '../calls/activity-store.ts'
import { idToBytes } from '../db/binary-ids.ts'

eachDialect('activity', (dialect) => {
  it('records who did what to which record and from where, without the content', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test, { label: 'Laptop', preset: 'admin' })
    const token = agent.user.dashboardToken
    const memoryId = await agent.write('A secret heron.')
    await test.call('update-memory', { vaultId: agent.user.vaultId, id: memoryId, importance: 5 }, { key: token })
    const note = await agent.call('create-note', { title: 'A secret pond' })
    const { entries } = await browse(test, token)
    expect(entries).toMatchObject([
      { actor: 'agent', operation: 'create-note', recordType: 'notes', recordId: note.body.noteId, label: 'Laptop' },
      { actor: 'person', operation: 'update-memory', recordType: 'memories', recordId: memoryId, label: null },
      { actor: 'agent', operation: 'write-memory', recordId: memoryId, status: 200, records: 1, class: 'content' },
    ])
    expect(new Set(entries.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
    const rows = await test.app.services.db.read.selectFrom('activity').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('secret')
    const onlyThis = await browse(test, token, { recordId: memoryId })
    expect(onlyThis.entries.map(({ operation }) => operation)).toEqual(['update-memory', 'write-memory'])
    expect((await browse(test, token, { actor: 'person' })).total).toBe(1)
    expect((await browse(test, token, { class: 'settings' })).total).toBe(0)
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    expect((await browse(test, token, { since: at(-60_000), until: at(1) })).total).toBe(3)
    expect((await browse(test, token, { since: at(1) })).total).toBe(0)
    expect((await browse(test, token, { until: at(-60_000) })).total).toBe(0)
    const stranger = await makeUser(test)
    expect(await browse(test, stranger.dashboardToken, { recordId: memoryId })).toMatchObject({ total: 0 })
  })

  it('does not store addresses unencrypted', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    await agent.write('heron')
    const rows = await test.app.services.db.read.selectFrom('activity').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]?.address ?? []).toString('latin1')).not.toContain('127.0.0.1')
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
  })

  it('is written in the transaction of the message', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    const { db } = test.app.services
    const count = async (table: 'activity' | 'memories') =>
      (await db.read.selectFrom(table).select('id').execute()).length
    await agent.write('heron')
    // Nothing was flushed.
    expect([await count('memories'), await count('activity')]).toEqual([1, 1])
    const stale = { memoryId: (await db.read.selectFrom('memories').select('id').executeTakeFirst())?.id }
    const refused = await agent.call('update-memory', { ...stale, content: 'crane', expectedVersion: 7 })
    expect(refused.status).toBe(409)
    expect(await count('activity')).toBe(1)
    const { entries } = await browse(test, agent.user.dashboardToken)
    expect(entries).toMatchObject([
      { operation: 'update-memory', status: 409 },
      { operation: 'write-memory', status: 200 },
    ])
    expect((await browse(test, agent.user.dashboardToken, { failed: 'true' })).total).toBe(1)
  })

  it('counts reads per minute, only by agents, and records exports by people', async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now })
    const agent = await startAgent(test, { preset: 'admin' })
    const token = agent.user.dashboardToken
    const { vaultId } = agent.user
    await agent.write('A heron.')
    for (let at = 0; at < 3; at++) expect(await agent.search('heron')).toHaveLength(1)
    await browse(test, token)
    await agent.search('heron')
    await test.call('list-memories', { vaultId }, { key: token })
    await test.call('export-records', { vaultId, kind: 'memory' }, { key: token })
    const { entries } = await browse(test, token)
    expect(entries).toMatchObject([
      { operation: 'export-records', actor: 'person', class: 'export', calls: 1 },
      // The log isn't encrypted, so it doesn't say which memories an agent was given.
      { operation: 'search-memories', actor: 'agent', class: 'read', calls: 4, recordId: null, records: 0 },
      { operation: 'write-memory' },
    ])
    clock.advance(61_000)
    await agent.search('heron')
    expect((await browse(test, token, { class: 'read' })).entries.map(({ calls }) => calls)).toEqual([1, 4])
  })

  it('leaves out heartbeats on request', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    await agent.call('session-track', { agentRunId: 'run-1' })
    await agent.write({ content: 'A heron.', agentRunId: 'run-1' })
    const named = async (input: object) =>
      (await browse(test, agent.user.dashboardToken, { ...input })).entries.map(({ operation }) => operation)
    expect(await named({ heartbeats: 'false' })).toEqual(['write-memory'])
    expect((await named({})).toSorted()).toEqual(['session-track', 'write-memory'])
  })

  it('records a dry run as a read, which open pages learn nothing of', async () => {
    const test = await startTestApp({ dialect })
    const person = await makePerson(test)
    const agent = await startAgent(test, { user: person.user })
    const id = await agent.write({ content: 'A heron.', importance: 1 })
    const { body: other } = await person.call('create-vault', { vaultId: undefined, name: 'Other' })
    const told: string[] = []
    const { leave } = test.app.services.news.listen(person.user.userId, ({ types }) => told.push(...types), undefined)
    const runs = [
      await agent.call('cleanup-memories', { maxImportance: 1, agentRunId: 'run-1' }),
      await person.call('move-memories', { ids: [id], targetVaultId: other.vaultId, dryRun: true }),
      await person.call('import-records', {
        importId: newId(),
        records: [{ kind: 'memory', content: 'A crane.' }],
        dryRun: true,
      }),
    ]
    for (const { body, text } of runs) expect(body.dryRun, text).toBe(true)
    await person.call('create-note', { title: 'Pond' })
    await expect.poll(() => told).toContain('notes')
    leave()
    expect(told).not.toContain('memories')
    const { entries } = await browse(test, person.user.dashboardToken)
    const shown = entries.map((entry) => [entry.operation, entry.class])
    expect(shown.filter(([name]) => name !== 'create-note')).toEqual([
      ['cleanup-memories', 'read'],
      ['create-vault', 'settings'],
      ['write-memory', 'content'],
    ])
    const { body } = await person.call('list-runs')
    expect(body.runs).toMatchObject([{ toolCalls: 1, reads: 1, writes: 0 }])
    await agent.call('cleanup-memories', { maxImportance: 1, dryRun: false })
    const after = await browse(test, person.user.dashboardToken, { operation: 'cleanup-memories', class: 'content' })
    expect(after.entries).toMatchObject([{ recordId: id, records: 1 }])
  })

  it('counts the records that a checkpoint creates, and none when it is repeated', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    const checkpoint = {
      memories: ['heron', 'crane', 'egret', 'stork', 'bittern'].map((bird) => ({
        content: `A ${bird} is in the pond.`,
      })),
      sessionSummary: 'Watched birds.',
      agentRunId: 'run-1',
    }
    for (let time = 0; time < 2; time++) await agent.call('context-checkpoint', checkpoint)
    const { entries } = await browse(test, agent.user.dashboardToken)
    expect(entries.map(({ operation, records }) => [operation, records])).toEqual([
      ['context-checkpoint', 0],
      ['context-checkpoint', 6],
    ])
  })

  it('lists only records that exist, whatever ids a call sends', async () => {
    const test = await startTestApp({ dialect })
    const person = await makePerson(test)
    const agent = await startAgent(test, { user: person.user, agentId: 'ada' })
    const id = await agent.write('A heron.')
    const { body: note } = await person.call('create-note', { title: 'Pond' })
    const { body: task } = await person.call('create-task', { title: 'Feed the heron' })
    const { body: message } = await person.call('send-message', { targetId: 'ada', content: 'Feed the heron.' })
    const { body: other } = await person.call('create-vault', { vaultId: undefined, name: 'Other' })
    const withUnknown = (known: unknown) => [newId(), known, newId()]
    const ids = withUnknown(id)
    const calls = [
      await agent.call('read-memories', { memoryIds: ids }),
      await agent.call('read-notes', { noteIds: withUnknown(note.noteId) }),
      await agent.call('list-tasks', { taskIds: withUnknown(task.taskId) }),
      await agent.call('ack-message', { messageIds: withUnknown(message.messageId) }),
      await person.call('update-memories', { ids, importance: 5 }),
      await person.call('archive-memories', { ids }),
      await person.call('update-memories', { ids, archived: false }),
      await person.call('move-memories', { ids, targetVaultId: other.vaultId }),
    ]
    for (const { status, text } of calls) expect(status, text).toBe(200)
    const { entries } = await browse(test, person.user.dashboardToken, { limit: calls.length })
    expect(entries.map(({ operation, recordId, records }) => [operation, recordId, records]).toReversed()).toEqual([
      ['read-memories', id, 1],
      ['read-notes', note.noteId, 1],
      ['list-tasks', task.taskId, 1],
      ['ack-message', message.messageId, 1],
      ['update-memories', id, 1],
      ['archive-memories', id, 1],
      ['update-memories', id, 1],
      ['move-memories', id, 1],
    ])
  })

  it('is written once, even if the acknowledgment of a commit was lost', async () => {
    const { db, instance } = (await startTestApp({ dialect })).app.services
    const row = { ...agentCall, operation: 'search-memories', userId: newId(), id: newId(), at: 1 }
    for (let time = 0; time < 2; time++) await db.write((tx) => insertEntry(tx, instance, row))
    expect(await db.read.selectFrom('activity').select('id').execute()).toEqual([{ id: idToBytes(row.id) }])
  })

  it('takes no vault id from a field that the operation does not have', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test, { preset: 'admin' })
    await agent.call('list-vaults', { vaultId: newId() })
    await test.app.services.activity.flush()
    const rows = await test.app.services.db.read.selectFrom('activity').select(['operation', 'vaultId']).execute()
    expect(rows).toContainEqual({ operation: 'list-vaults', vaultId: null })
  })

  it('records sign-ins, failed sign-ins and background jobs', async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now })
    const account = { email: ownerEmail, password: ownerPassword }
    const made = await test.call('set-up', account, { key: test.app.operatorToken.token })
    const { dashboardToken, agentKey } = made.body as Record<string, string>
    expect((await test.call('log-in', { ...account, password: 'a wrong guess' })).status).toBe(401)
    expect((await test.call('log-in', { ...account, email: 'nobody@example.org' })).status).toBe(401)
    expect((await test.call('log-in', account)).status).toBe(200)
    await test.call('write-memory', { content: 'x', expiresAt: clock.iso(1000) }, { key: agentKey ?? '' })
    clock.advance(2000)
    await expireMemories(test.app.services).run(new AbortController().signal)
    const { entries } = await browse(test, dashboardToken ?? '')
    const ofSignIn = entries.filter((one) => one.operation === 'log-in')
    expect(ofSignIn).toMatchObject([
      { actor: 'person', status: 200, class: 'sign-in' },
      { actor: 'stranger', status: 401, class: 'sign-in' },
    ])
    expect(entries.find(({ actor }) => actor === 'service')).toMatchObject({ operation: 'expire-memories', records: 1 })
  })

  it('loses no call that is counted while a minute ends', async () => {
    const test = await startTestApp({ dialect })
    const { user } = await startAgent(test)
    let at = Date.parse('2026-11-21T09:00:00.000Z')
    const { db, instance, log } = test.app.services
    const buffer = createActivity({ db, instance, log, now: () => at })
    const read = () => buffer.count({ ...agentCall, userId: user.userId, id: newId(), at, operation: 'read-memories' })
    read()
    await buffer.flush()
    at += 59_900
    for (let n = 0; n < 5; n++) read()
    at += 200
    read()
    await buffer.flush()
    const { entries } = await browse(test, user.dashboardToken, { operation: 'read-memories' })
    expect(entries.map(({ calls }) => calls)).toEqual([1, 6])
  })

  it('records what the operator does to an account', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUser(test)
    const password = 'four herons stand in the reeds'
    const reset = await test.call(
      'reset-sign-in',
      { email: user.email, password },
      { key: test.app.operatorToken.token },
    )
    expect(reset.status, reset.text).toBe(200)
    const { entries } = await browse(test, user.dashboardToken)
    expect(entries[0]).toMatchObject({ actor: 'operator', operation: 'reset-sign-in', class: 'sign-in', status: 200 })
  })

  it('returns the kind of a record only if it has a page', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test, { preset: 'admin' })
    const token = agent.user.dashboardToken
    await agent.call('create-note', { title: 'Pond', folderPath: 'Water' })
    const { body } = await test.call('list-folders', { vaultId: agent.user.vaultId }, { key: token })
    const [folder] = body.folders as { id: string }[]
    const renamed = { vaultId: agent.user.vaultId, id: folder?.id, name: 'Waters' }
    expect((await test.call('update-folder', renamed, { key: token })).status).toBe(200)
    const { entries } = await browse(test, token, { operation: 'update-folder' })
    expect(entries).toMatchObject([{ recordId: folder?.id, recordType: null }])
  })

  it('uses the time of each call after the clock was set back, because ids only increase', async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now, runsJobs: false })
    const { user } = await startAgent(test)
    const { db, instance } = test.app.services
    const write = (operation: string, { at, idAt }: { at: number; idAt: number }) =>
      db.write((tx) =>
        insertEntry(tx, instance, { ...agentCall, userId: user.userId, id: v7({ msecs: idAt }), at, operation }),
      )
    const hourMs = 3_600_000
    const start = clock.now()
    await write('create-note', { at: start + hourMs, idAt: start + hourMs })
    await write('create-task', { at: start + 1_000, idAt: start + hourMs + 1 })
    const shown = async (input: Record<string, unknown>) =>
      (await browse(test, user.dashboardToken, input)).entries.map(({ operation }) => operation)
    expect(await shown({ until: clock.iso(2_000) })).toEqual(['create-task'])
    expect(await shown({ until: clock.iso(2 * hourMs) })).toEqual(['create-task', 'create-note'])
    expect(await shown({ since: clock.iso(2_000) })).toEqual(['create-note'])
    clock.advance(90 * 86_400_000 + 2_000)
    await applyRetention(test.app.services).run(new AbortController().signal)
    expect(await shown({})).toEqual(['create-note'])
  })

  it('is deleted after 90 days', async () => {
    const clock = makeClock(Date.now())
    const test = await startTestApp({ dialect, now: clock.now, runsJobs: false })
    const agent = await startAgent(test)
    await agent.write('heron')
    const retain = () => applyRetention(test.app.services).run(new AbortController().signal)
    clock.advance(89 * 86_400_000)
    await retain()
    expect((await browse(test, agent.user.dashboardToken)).total).toBe(1)
    clock.advance(2 * 86_400_000)
    await retain()
    expect((await browse(test, agent.user.dashboardToken)).total).toBe(0)
  })
})
