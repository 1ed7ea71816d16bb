import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { countMessages, listMessages } from './inbox-store.ts'
import { purgeMessages } from './store.ts'

/** One inbox over several vaults: which messages it contains, and for which keys. */

const dayMs = 86_400_000

const clock = makeClock()
const test = useTestApp({ now: clock.now })

async function send(from: TestAgent, more: Record<string, unknown>): Promise<string> {
  const { status, body, text } = await from.call('send-message', { targetId: 'bob', content: 'hello', ...more })
  expect([201, text]).toEqual([status, text])
  return String(body.messageId)
}

async function inboxOf(agent: TestAgent, more: Record<string, unknown> = {}) {
  const { body } = await agent.call('read-messages', more)
  return (body.messages as { content: string }[]).map(({ content }) => content).toSorted()
}

async function makeTeam() {
  const user = await makeUser(test())
  const second = await makeVault(test(), user)
  const ada = await startAgent(test(), { user, agentId: 'ada' })
  const ids = [
    await send(ada, { content: 'in the first' }),
    await send(ada, { content: 'in the second', vaultId: second }),
  ] as const
  return { user, second, ada, ids }
}

describe('an inbox', () => {
  it('shows an agent no messages between others, in any box', async () => {
    const { user, ids } = await makeTeam()
    const eve = await startAgent(test(), { user, agentId: 'eve' })
    for (const box of ['received', 'sent', 'agents', 'all']) expect(await inboxOf(eve, { box })).toEqual([])
    expect((await eve.call('read-messages', { messageId: ids[0] })).status).toBe(404)
    const bob = await startAgent(test(), { user, agentId: 'bob' })
    expect(await inboxOf(bob, { box: 'agents' })).toEqual(['in the first', 'in the second'])
    expect(await inboxOf(bob, { messageId: ids[0] })).toEqual(['in the first'])
  })

  it('contains the messages of all vaults, or of the requested one', async () => {
    const { user, second, ids } = await makeTeam()
    const bob = await startAgent(test(), { user, agentId: 'bob', primaryVaultId: null })
    expect(await inboxOf(bob)).toEqual(['in the first', 'in the second'])
    expect(await inboxOf(bob, { vaultId: second })).toEqual(['in the second'])
    expect((await bob.call('pending-messages')).body.count).toBe(2)
    expect((await bob.call('pending-messages', { vaultId: user.vaultId })).body.count).toBe(1)
    const { body } = await bob.call('ack-message', { messageIds: ids })
    expect((body.results as unknown[]).length).toBe(2)
    expect((await bob.call('pending-messages')).body.count).toBe(0)
  })

  it('contains only the messages in the vaults of a restricted key', async () => {
    const { user, second, ids } = await makeTeam()
    const vaults = [{ vaultId: second }]
    const bob = await startAgent(test(), { user, agentId: 'bob', restrictToVault: true, vaults })
    expect(await inboxOf(bob)).toEqual(['in the second'])
    expect((await bob.call('pending-messages')).body.count).toBe(1)
    const refused = await bob.call('read-messages', { vaultId: user.vaultId })
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: 'SCOPE_DENIED: this key has no access to the requested vault' },
    ])
    const unseen = await bob.call('ack-message', { messageId: ids[0] })
    const answer = { targetId: 'ada', content: 'x', parentMessageId: ids[0] }
    expect([unseen.status, (await bob.call('send-message', answer)).status]).toEqual([404, 404])
    expect((await bob.call('ack-message', { messageId: ids[1] })).status).toBe(200)
  })

  it('can only be acknowledged in vaults where the key can write', async () => {
    const { user, second, ids } = await makeTeam()
    const vaults = [{ vaultId: second, preset: 'read_only' as const }]
    const bob = await startAgent(test(), { user, agentId: 'bob', vaults })
    expect(await inboxOf(bob)).toHaveLength(2)
    expect((await bob.call('ack-message', { messageId: ids[1] })).status).toBe(404)
    const named = await bob.call('ack-message', { messageId: ids[1], vaultId: second })
    const denied = { error: 'SCOPE_DENIED: this key lacks the "write" permission' }
    expect([named.status, named.body]).toEqual([403, denied])
    const reply = await bob.call('send-message', { targetId: 'ada', content: 'x', parentMessageId: ids[1] })
    expect([reply.status, reply.body]).toEqual([403, denied])
    expect((await bob.call('ack-message', { messageId: ids[0] })).status).toBe(200)
  })

  it("gives the same answer for another user's vault and one that does not exist", async () => {
    const { user } = await makeTeam()
    const bob = await startAgent(test(), { user, agentId: 'bob' })
    const stranger = await makeUser(test())
    for (const name of ['read-messages', 'pending-messages', 'ack-message'])
      for (const vaultId of [stranger.vaultId, newId()]) {
        const { status, body } = await bob.call(name, {
          vaultId,
          ...(name === 'ack-message' && { messageId: newId() }),
        })
        expect([name, status, body]).toEqual([name, 404, { error: 'Vault not found' }])
      }
  })

  it('gets a reply only in the vault of the parent message', async () => {
    const { user, second, ids } = await makeTeam()
    const bob = await startAgent(test(), { user, agentId: 'bob' })
    const answer = { targetId: 'ada', content: 'x', parentMessageId: ids[1] }
    expect((await bob.call('send-message', answer)).body).toMatchObject({ vaultId: second, threadId: ids[1] })
    expect((await bob.call('send-message', { ...answer, vaultId: user.vaultId })).status).toBe(404)
    expect((await bob.call('send-message', { ...answer, vaultId: second })).status).toBe(201)
  })

  it('gets a reply from a key that can write to its vault, even if not to the default vault', async () => {
    const { user, second, ids } = await makeTeam()
    const vaults = [
      { vaultId: user.vaultId, preset: 'read_only' as const },
      { vaultId: second, preset: 'read_write' as const },
    ]
    for (const over of [{ vaults, restrictToVault: true }, { vaults }, { primaryVaultId: null }]) {
      const bob = await startAgent(test(), { user, agentId: 'bob', ...over })
      const answer = { targetId: 'ada', content: 'x', parentMessageId: ids[1] }
      const { status, body } = await bob.call('send-message', answer)
      expect([status, body.vaultId]).toEqual([201, second])
    }
  })

  it('checks the named vault before the other fields', async () => {
    const { user } = await makeTeam()
    const bob = await startAgent(test(), { user, agentId: 'bob', restrictToVault: true })
    for (const name of ['read-messages', 'pending-messages', 'ack-message']) {
      const { status } = await bob.call(name, { vaultId: newId(), limit: 1000, note: 7 })
      expect([name, status]).toEqual([name, 403])
    }
  })

  it('loses the messages of an erased vault', async () => {
    const { user, second } = await makeTeam()
    const bob = await startAgent(test(), { user, agentId: 'bob' })
    await test().call('delete-vault', { id: second, name: 'Second' }, { key: user.dashboardToken })
    expect(await inboxOf(bob)).toEqual(['in the first'])
    const rows = await test()
      .app.services.db.read.selectFrom('messages')
      .select('id')
      .where('vaultId', '=', second)
      .execute()
    expect(rows).toEqual([])
  })

  it('loses messages that retention deletes, with their acknowledgements', async () => {
    const { user, second, ids } = await makeTeam()
    const bob = await startAgent(test(), { user, agentId: 'bob' })
    await bob.call('ack-message', { messageIds: ids, note: 'seen' })
    clock.advance(1000)
    const { db } = test().app.services
    expect(await purgeMessages(db, { userId: user.userId, vaultId: second }, clock.now() - 1000)).toBe(0)
    expect(await purgeMessages(db, { userId: user.userId, vaultId: second }, clock.now())).toBe(1)
    expect(await inboxOf(bob)).toEqual(['in the first'])
    const acks = await db.read.selectFrom('messageAcks').select('messageId').where('userId', '=', user.userId).execute()
    expect(acks).toEqual([{ messageId: ids[0] }])
  })

  it('is complete even if more messages wait than one step reads', async () => {
    const user = await makeUser(test())
    const bob = await startAgent(test(), { user, agentId: 'bob' })
    const { body } = await bob.call('send-message', { targetId: 'ada', content: 'x' })
    const { db } = test().app.services
    const sent = await db.read.selectFrom('messages').selectAll().where('id', '=', String(body.messageId)).execute()
    const [row] = sent
    if (row === undefined) throw new Error('the message was just sent')
    const copies = Array.from({ length: 6000 }, (_, n) => ({
      ...row,
      id: newId(),
      fromAgentId: 'ci',
      targetId: '*',
      targetType: 'broadcast',
      priority: 1 + ((n * 7) % 5),
      createdAt: clock.now() + ((n * 31) % 997),
      expiresAt: clock.now() + dayMs + ((n * 13) % 4001),
    }))
    for (let at = 0; at < copies.length; at += 500)
      await db.write((tx) =>
        tx
          .insertInto('messages')
          .values(copies.slice(at, at + 500))
          .execute(),
      )
    const inbox = {
      userId: user.userId,
      vaultIds: [user.vaultId],
      reader: { type: 'agent', id: 'eve' },
      at: clock.now(),
    } as const
    const filter = { status: 'pending', box: 'received' } as const
    const idsIn = async (order: 'urgent' | 'newest', page: { limit: number; offset: number }) => {
      const { rows, total } = await listMessages(db.read, inbox, filter, { order, ...page })
      expect(total).toBe(6000)
      return rows.map(({ id }) => id)
    }
    const urgent = copies.toSorted(
      (a, b) => b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )
    const newest = copies.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    const page = { limit: 30, offset: 4990 }
    expect(await idsIn('urgent', page)).toEqual(urgent.slice(4990, 5020).map(({ id }) => id))
    expect(await idsIn('newest', page)).toEqual(newest.slice(4990, 5020).map(({ id }) => id))
    expect(await idsIn('newest', { limit: 5, offset: Number.MAX_SAFE_INTEGER })).toEqual([])
    expect(await countMessages(db.read, inbox, filter)).toBe(6000)
  })

  it('is encrypted on disk, except for sender, recipient and priority', async () => {
    const { user, ada } = await makeTeam()
    const bob = await startAgent(test(), { user, agentId: 'bob' })
    const messageId = await send(ada, { content: 'zanzibar', subject: 'quagga', externalWriteId: 'okapi' })
    await bob.call('ack-message', { messageId, note: 'narwhal' })
    const { db } = test().app.services
    const rows = [
      await db.read.selectFrom('messages').selectAll().where('id', '=', messageId).execute(),
      await db.read.selectFrom('messageAcks').selectAll().where('messageId', '=', messageId).execute(),
    ].flat()
    expect(rows).toHaveLength(2)
    for (const row of rows)
      for (const value of Object.values(row as Record<string, unknown>))
        expect(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)).not.toMatch(
          /zanzibar|quagga|okapi|narwhal/,
        )
  })
})
