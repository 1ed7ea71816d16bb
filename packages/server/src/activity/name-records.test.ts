import { expect, it } from 'vitest'
import { agentCall, browse } from '../../test/activity.ts'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makePerson } from '../../test/person.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { insertEntry } from '../calls/activity-store.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'

eachDialect('the records of the activity', (dialect) => {
  it('are named as they are called now, and those that are gone say so', async () => {
    const test = await startTestApp({ dialect })
    const person = await makePerson(test)
    const agent = await startAgent(test, { user: person.user, label: 'Laptop' })
    const memoryId = await agent.write('A heron.')
    const movedId = await agent.write('An egret.')
    const erasedId = await agent.write('A stork.')
    await agent.call('update-memory', { memoryId, content: 'A crane.\nIt is grey.' })
    const { body: note } = await person.call('create-note', { title: 'Pond' })
    await person.call('delete-note', { id: note.noteId })
    await person.call('create-task', { title: 'Feed the crane' })
    await person.call('send-message', { targetId: 'user', content: 'The pond is dry.\nCome soon.' })
    const { body: sent } = await person.call('send-message', { targetId: 'user', content: 'It rains.' })
    await person.call('erase-message', { id: sent.messageId, vaultId: undefined })
    const { body: other } = await person.call('create-vault', { vaultId: undefined, name: 'Other' })
    await person.call('move-memories', { ids: [movedId], targetVaultId: other.vaultId })
    await person.call('archive-memories', { ids: [erasedId] })
    await person.call('erase-memory', { id: erasedId })
    const { entries } = await browse(test, person.user.dashboardToken)
    const shown = entries.map((one) => [one.operation, one.recordTitle, one.recordExists])
    expect(shown.toReversed()).toEqual([
      ['write-memory', 'A crane.', true],
      ['write-memory', null, false],
      ['write-memory', null, false],
      ['update-memory', 'A crane.', true],
      ['create-note', 'Pond', true],
      ['delete-note', 'Pond', true],
      ['create-task', 'Feed the crane', true],
      ['send-message', 'The pond is dry.', true],
      ['send-message', null, false],
      ['erase-message', null, false],
      ['create-vault', null, null],
      ['move-memories', null, false],
      ['archive-memories', null, false],
      ['erase-memory', null, false],
    ])
  })

  it('may be agents and webhooks', async () => {
    const test = await startTestApp({ dialect })
    const person = await makePerson(test)
    const call = (name: string, input: Record<string, unknown>) => person.call(name, { ...input, vaultId: undefined })
    const { body: made } = await call('create-integration', { label: 'Laptop', preset: 'admin' })
    const { integration } = made as { integration: { id: string } }
    await call('create-integration', { label: 'Phone', preset: 'admin' })
    await call('delete-integration', { id: integration.id })
    await call('create-webhook', { url: 'https://example.org/pond', events: ['message.created'] })
    const { entries } = await browse(test, person.user.dashboardToken, { class: 'settings' })
    expect(entries.map((one) => [one.operation, one.recordTitle, one.recordExists]).toReversed()).toEqual([
      ['create-integration', null, false],
      ['create-integration', 'Phone', true],
      ['delete-integration', null, false],
      ['create-webhook', 'https://example.org/pond', true],
    ])
  })

  it('are named if they can be opened, and unknown otherwise, whatever is damaged', async () => {
    const test = await startTestApp({ dialect })
    const person = await makePerson(test)
    const agent = await startAgent(test, { user: person.user, label: 'Laptop' })
    const { db } = test.app.services
    const call = async (name: string, input: Record<string, unknown>) => {
      const { status, body, text } = await person.call(name, input)
      expect(status, text).toBeLessThan(300)
      return body as Record<string, string>
    }
    const { vaultId: locked = '' } = await call('create-vault', { vaultId: undefined, name: 'Locked' })
    const damagedId = await agent.write('A stork.')
    const lostId = await agent.write('An egret.')
    await agent.write('A heron.')
    const { noteId = '' } = await call('create-note', { title: 'Pond' })
    await call('create-note', { title: 'Lake' })
    const { messageId = '' } = await call('send-message', { targetId: 'user', content: 'It rains.' })
    await call('send-message', { targetId: 'user', content: 'The pond is dry.' })
    await call('create-note', { vaultId: locked, title: 'Locked' })
    await call('send-message', { vaultId: locked, targetId: 'user', content: 'It is locked.' })
    await call('create-integration', { vaultId: undefined, label: 'Phone', preset: 'admin' })
    await call('create-webhook', {
      vaultId: undefined,
      url: 'https://example.org/pond',
      events: ['message.created'],
    })
    const bytes = Buffer.alloc(80)
    const cell = asSealed(bytes)
    await db.write(async (tx) => {
      await tx.updateTable('memories').set({ head: cell }).where('id', '=', damagedId).execute()
      await tx.deleteFrom('memories').where('id', '=', lostId).execute()
      await tx.updateTable('notes').set({ head: cell }).where('id', '=', noteId).execute()
      await tx.updateTable('messages').set({ body: cell }).where('id', '=', messageId).execute()
      await tx.updateTable('vaultKeys').set({ wrappedKey: bytes }).where('scopeId', '=', locked).execute()
    })
    const shown = async () =>
      (await browse(test, person.user.dashboardToken)).entries
        .filter(({ operation }) => operation !== 'create-vault')
        .map((one) => [one.recordTitle, one.recordExists])
        .toReversed()
    const unknown = [null, null]
    const memories = [unknown, unknown, ['A heron.', true]]
    const others = [unknown, ['Lake', true], unknown, ['The pond is dry.', true]]
    const records = [...memories, ...others, unknown, unknown, ['Phone', true]]
    expect(await shown()).toEqual([...records, ['https://example.org/pond', true]])
    for (const code of ['memories.head', 'notes.head', 'messages.body', 'vaultKeys.wrappedKey'])
      expect(test.log()).toContain(code)
    await db.write(async (tx) => {
      await tx.updateTable('vaultKeys').set({ wrappedKey: bytes }).where('scopeId', '=', person.user.userId).execute()
      await tx.updateTable('integrations').set({ profile: cell }).where('userId', '=', person.user.userId).execute()
    })
    expect(await shown()).toEqual([...records.slice(0, -1), unknown, unknown])
  })

  it('are named if they are expired memories, but not if they are expired messages', async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now })
    const person = await makePerson(test)
    const agent = await startAgent(test, { user: person.user })
    await agent.write({ content: 'A heron.', expiresAt: clock.iso(1000) })
    await person.call('send-message', { targetId: 'user', content: 'It rains.', expiresInDays: 1 })
    clock.advance(2 * 86_400_000)
    const { entries } = await browse(test, person.user.dashboardToken)
    expect(entries.map((one) => [one.operation, one.recordTitle, one.recordExists])).toEqual([
      ['send-message', null, false],
      ['write-memory', 'A heron.', true],
    ])
  })

  it("aren't named if they are in someone else's vault, whatever an entry says", async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    const { db, instance } = test.app.services
    const { vaultId } = agent.user
    const { body: note } = await agent.call('create-note', { title: 'Pond' })
    const { body: sent } = await agent.call('send-message', { targetId: 'user', content: 'It rains.' })
    const records = [
      ['memory', await agent.write('A heron.')],
      ['note', String(note.noteId)],
      ['message', String(sent.messageId)],
    ] as const
    const stranger = await makeUser(test)
    for (const [recordKind, recordId] of records) {
      const row = { ...agentCall, userId: stranger.userId, vaultId, recordKind, recordId, id: newId(), at: 1 }
      await db.write((tx) => insertEntry(tx, instance, { ...row, operation: 'read-memories' }))
    }
    const { entries } = await browse(test, stranger.dashboardToken)
    expect(entries.map((one) => [one.recordTitle, one.recordExists])).toEqual(records.map(() => [null, false]))
  })
})
