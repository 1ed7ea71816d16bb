import { expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect, type TestDialect } from '../../test/dialects.ts'
import { makeAgent, makeUser, type TestUser } from '../../test/factories.ts'
import { createSharedNews } from '../api/shared-news.ts'
import type { ChangeNews } from '../calls/news.ts'
import { updateProfile } from '../accounts/store.ts'
import { newId } from '../core/ids.ts'
import { insertInvitation } from './member-store.ts'

/** A vault that people share: how it is offered, accepted, changed and taken back. What each role may do is in `test/vault-roles.test.ts`. */

async function startWithTwo(dialect: TestDialect) {
  const test = await startTestApp({ dialect, runsJobs: false })
  const [ann, bob] = [await makeUser(test), await makeUser(test)]
  const as = (user: TestUser) => (name: string, body: object) => test.call(name, body, { key: user.dashboardToken })
  const place = { vaultId: ann.vaultId }
  /** Invites and accepts. */
  async function share(to: TestUser, role: string): Promise<void> {
    await as(ann)('share-vault', { ...place, email: to.email, role })
    const answer = await as(to)('decide-invitation', { id: (await invitationsOf(test, to))[0]?.id, accept: true })
    expect(answer.status, answer.text).toBe(200)
  }
  const read = async (user: TestUser) => (await as(user)('list-memories', place)).status
  return { test, ann, bob, as, place, share, read }
}

interface Invitation {
  id: string
  vaultName: string
}

async function invitationsOf(test: TestApp, user: TestUser): Promise<Invitation[]> {
  const { body } = await test.call('list-vaults', {}, { key: user.dashboardToken })
  return body['invitations'] as Invitation[]
}

eachDialect('a shared vault', (dialect) => {
  it('shows the invited only its name and who invites, until they accept', async () => {
    const { test, ann, bob, as, place, read } = await startWithTwo(dialect)
    await as(ann)('update-vault', { id: ann.vaultId, name: 'Garden', description: 'where the roses are' })
    await as(ann)('share-vault', { ...place, email: bob.email.toUpperCase(), role: 'editor' })
    const { body, text } = await as(bob)('list-vaults', {})
    expect(body).toMatchObject({
      total: 1,
      invitations: [{ vaultName: 'Garden', role: 'editor', invitedBy: { userId: ann.userId, email: ann.email } }],
    })
    expect(text).not.toContain('roses')
    expect(await read(bob)).toBe(404)
    const [invitation] = await invitationsOf(test, bob)
    expect(await as(bob)('decide-invitation', { id: invitation?.id, accept: true })).toMatchObject({
      body: { accepted: true, vaultId: ann.vaultId },
    })
    expect(await read(bob)).toBe(200)
    expect((await as(bob)('list-vaults', {})).body).toMatchObject({
      total: 2,
      invitations: [],
      vaults: [
        { vaultId: bob.vaultId },
        { vaultId: ann.vaultId, name: 'Garden', role: 'editor', isDefault: false, owner: { userId: ann.userId } },
      ],
    })
    expect((await as(ann)('list-vault-members', place)).body).toMatchObject({
      members: [
        { userId: ann.userId, role: 'owner' },
        { userId: bob.userId, role: 'editor' },
      ],
      invitations: [],
    })
  })

  it('answers an invitation the same way whether or not someone has the address', async () => {
    const { ann, bob, as, place } = await startWithTwo(dialect)
    const invite = async (email: string) => {
      const { status, text } = await as(ann)('share-vault', { ...place, email, role: 'viewer' })
      return { status, text: text.replaceAll(email, '<email>') }
    }
    expect(await invite('nobody@example.org')).toEqual(await invite(bob.email))
    const { body } = await as(ann)('list-vault-members', place)
    expect(body).toMatchObject({ invitations: [{ email: bob.email }, { email: 'nobody@example.org' }] })
  })

  it('invites no address that only looks like one', async () => {
    const { ann, bob, as, place } = await startWithTwo(dialect)
    // A soft hyphen, a blank of no width, a Cyrillic "e" and a change of direction.
    const disguised = ['exam\u00adple.org', 'example.org\u200b', '\u0435xample.org', '\u202eexample.org']
    for (const email of disguised.map((domain) => bob.email.replace('example.org', domain)))
      expect(await as(ann)('share-vault', { ...place, email, role: 'viewer' })).toMatchObject({
        status: 400,
        body: { fields: { email: expect.stringContaining('type the address again') } },
      })
    expect((await as(ann)('list-vault-members', place)).body).toMatchObject({ invitations: [] })
  })

  it('changes the role of a member by an older address that could not be invited now', async () => {
    const { test, ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'viewer')
    const { db, instance } = test.app.services
    const email = bob.email.replace('example', '\u0435xample')
    await db.write((tx) => updateProfile(tx, instance, bob.userId, { email }))
    expect(await as(ann)('share-vault', { ...place, email, role: 'editor' })).toMatchObject({
      status: 200,
      body: { email, role: 'editor', invited: false },
    })
  })

  it('lets one person have up to 200 open invitations, in all vaults of an owner together', async () => {
    const { test, ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'admin')
    const { vaultId } = (await as(ann)('create-vault', { name: 'Pond' })).body as { vaultId: string }
    const { db, instance } = test.app.services
    const sent = { userId: ann.userId, vaultId, invitedId: null, role: 'viewer', invitedBy: ann.userId, invitedAt: 1 }
    const ids = Array.from({ length: 200 }, newId)
    await db.write(async (tx) => {
      for (const id of ids) await insertInvitation(tx, instance, { ...sent, id, email: `${id}@example.org` })
    })
    const invite = (by: TestUser, email: string) => as(by)('share-vault', { ...place, email, role: 'viewer' })
    const refused = await invite(ann, 'mary@example.org')
    expect(refused.status).toBe(403)
    expect(refused.body['error']).toBe('You have 200 open invitations, which is the limit. Withdraw one first')
    expect((await as(ann)('list-vault-members', place)).body).toMatchObject({ invitations: [] })
    // What others sent doesn't count, unless this person replaces it.
    expect((await invite(bob, 'mary@example.org')).status).toBe(200)
    expect((await invite(ann, 'mary@example.org')).status).toBe(403)
    expect((await as(ann)('list-vault-members', place)).body).toMatchObject({
      invitations: [{ email: 'mary@example.org', invitedBy: { userId: bob.userId } }],
    })
    await as(ann)('delete-vault-member', { vaultId, invitationId: ids[0] })
    expect((await invite(ann, 'mary@example.org')).status).toBe(200)
    expect((await invite(ann, 'mary@example.org')).status).toBe(200)
  })

  it('does not wait for someone who takes the invited address later', async () => {
    const { test, ann, bob, as, place } = await startWithTwo(dialect)
    await as(ann)('share-vault', { ...place, email: 'later@example.org', role: 'admin' })
    const { db, instance } = test.app.services
    await db.write((tx) => updateProfile(tx, instance, bob.userId, { email: 'later@example.org' }))
    expect(await invitationsOf(test, bob)).toEqual([])
    // Once they have it, they can be invited again, which replaces the first one.
    await as(ann)('share-vault', { ...place, email: 'Later@example.org', role: 'viewer' })
    expect(await invitationsOf(test, bob)).toMatchObject([{ role: 'viewer' }])
    expect((await as(ann)('list-vault-members', place)).body).toMatchObject({ invitations: [{ role: 'viewer' }] })
  })

  it('ends the invitations to all addresses of a person when they accept one', async () => {
    const { test, ann, bob, as, place, read } = await startWithTwo(dialect)
    await as(ann)('share-vault', { ...place, email: bob.email, role: 'admin' })
    const [former] = await invitationsOf(test, bob)
    const { db, instance } = test.app.services
    const email = `${newId()}@example.org`
    await db.write((tx) => updateProfile(tx, instance, bob.userId, { email }))
    await as(ann)('share-vault', { ...place, email, role: 'viewer' })
    const accept = async (id: string | undefined) => (await as(bob)('decide-invitation', { id, accept: true })).status
    expect(await accept((await invitationsOf(test, bob)).find(({ id }) => id !== former?.id)?.id)).toBe(200)
    await as(ann)('delete-vault-member', { ...place, userId: bob.userId })
    expect(await accept(former?.id)).toBe(404)
    expect(await read(bob)).toBe(404)
  })

  it('can be declined, and an invitation works only for its address and only once', async () => {
    const { test, ann, bob, as, place, read } = await startWithTwo(dialect)
    const carl = await makeUser(test)
    await as(ann)('share-vault', { ...place, email: bob.email, role: 'viewer' })
    const id = (await invitationsOf(test, bob))[0]?.id
    const decide = async (user: TestUser, accept: boolean) =>
      (await as(user)('decide-invitation', { id, accept })).status
    expect(await decide(carl, true)).toBe(404)
    expect(await decide(bob, false)).toBe(200)
    expect(await decide(bob, true)).toBe(404)
    expect([await read(bob), await read(carl)]).toEqual([404, 404])
  })

  it('records what members do for the owner, under the name of the member', async () => {
    const { ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'editor')
    const memory = (await as(ann)('write-memory', { ...place, content: 'The gate is green.' })).body
    await as(bob)('update-memory', { ...place, memoryId: memory['memoryId'], content: 'The gate is blue.' })
    const { body } = await as(ann)('read-memory-history', { ...place, id: memory['memoryId'] })
    expect(JSON.stringify(body)).toContain(`"agentId":"user:${bob.userId}"`)
    const listed = (await as(ann)('list-memories', place)).body['memories'] as object[]
    expect(listed).toMatchObject([
      {
        agentId: 'user',
        changedBy: { agentId: `user:${bob.userId}`, integrationId: null },
        source: { trust: 'user_authored' },
      },
    ])
    const { activity } = (await as(ann)('list-activity', { operation: 'update-memory' })).body
    expect(activity).toMatchObject([{ actor: 'person', member: { userId: bob.userId }, address: null }])
    expect((await as(bob)('list-activity', { operation: 'update-memory' })).body).toMatchObject({ total: 0 })
  })

  it('lists in the activity what its owner did and what members did each on their own', async () => {
    const { ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'editor')
    await as(ann)('write-memory', { ...place, content: 'The gate is green.' })
    await as(bob)('write-memory', { ...place, content: 'The pond is deep.' })
    const list = async (actor: string) =>
      (await as(ann)('list-activity', { actor, operation: 'write-memory' })).body as {
        total: number
        activity: { member: { userId: string } | null }[]
      }
    const [own, members] = [await list('person'), await list('member')]
    expect([own.total, own.activity.map(({ member }) => member)]).toEqual([1, [null]])
    expect([members.total, members.activity.map(({ member }) => member?.userId)]).toEqual([1, [bob.userId]])
  })

  it('keeps what a person wrote before another one changed it', async () => {
    const { ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'editor')
    const { memoryId } = (await as(ann)('write-memory', { ...place, content: 'Water the roses on Mondays.' })).body
    await as(bob)('update-memory', { ...place, memoryId, content: 'Never water the roses.' })
    const { text } = await as(ann)('read-memory-history', { ...place, id: memoryId, version: 1 })
    expect(text).toContain('on Mondays')
  })

  it('is not there any more for a removed member, from the next call on', async () => {
    const { test, ann, bob, as, place, share, read } = await startWithTwo(dialect)
    await share(bob, 'admin')
    const carl = await makeUser(test)
    await as(bob)('share-vault', { ...place, email: carl.email, role: 'viewer' })
    await as(ann)('delete-vault-member', { ...place, userId: bob.userId })
    expect(await read(bob)).toBe(404)
    expect((await as(bob)('list-vaults', {})).body).toMatchObject({ total: 1 })
    // Whom they have invited could have become members later.
    expect(await invitationsOf(test, carl)).toEqual([])
    const unknown = await as(bob)('list-memories', { vaultId: newId() })
    expect((await as(bob)('list-memories', place)).text).toBe(unknown.text)
  })

  it('keeps no invitation that a removed admin was still sending', async () => {
    const { test, ann, bob, as, place, share } = await startWithTwo(dialect)
    const carl = await makeUser(test)
    await share(bob, 'admin')
    const invite = () => as(bob)('share-vault', { ...place, email: carl.email, role: 'admin' })
    const removal = as(ann)('delete-vault-member', { ...place, userId: bob.userId })
    // All of them begin while he is an admin, and wait for the removal.
    const statuses = (await Promise.all(Array.from({ length: 8 }, invite))).map(({ status }) => status)
    expect((await removal).status).toBe(200)
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true)
    expect(await invitationsOf(test, carl)).toEqual([])
  })

  it('cannot be entered through someone whose account is disabled, until it is enabled', async () => {
    const { test, bob, as, place, share } = await startWithTwo(dialect)
    const [carl, operator] = [await makeUser(test), await makeUser(test, { isOwner: true })]
    await share(bob, 'admin')
    await as(bob)('share-vault', { ...place, email: carl.email, role: 'admin' })
    const [invitation] = await invitationsOf(test, carl)
    const accept = async () => (await as(carl)('decide-invitation', { id: invitation?.id, accept: true })).status
    await as(operator)('update-user', { userId: bob.userId, disabled: true })
    expect([await invitationsOf(test, carl), await accept()]).toEqual([[], 404])
    await as(operator)('update-user', { userId: bob.userId, disabled: false })
    expect([await invitationsOf(test, carl), await accept()]).toEqual([[invitation], 200])
  })

  it('tells people at once that they are no longer invited, or that the vault is gone', async () => {
    const { test, ann, bob, as, place, share } = await startWithTwo(dialect)
    const [carl, dora, eve] = [await makeUser(test), await makeUser(test), await makeUser(test)]
    await as(ann)('create-vault', { name: 'Pond' })
    await share(bob, 'admin')
    const invite = (by: TestUser, { email }: TestUser) => as(by)('share-vault', { ...place, email, role: 'viewer' })
    await invite(ann, carl)
    await invite(bob, dora)
    await invite(ann, eve)
    const told: string[] = []
    const names = { bob, carl, dora, eve }
    for (const [name, { userId }] of Object.entries(names))
      test.app.services.news.listen(userId, ({ types }) => told.push(`${name} ${types.join()}`), undefined)
    const [invitation] = await invitationsOf(test, carl)
    await as(ann)('delete-vault-member', { ...place, invitationId: invitation?.id })
    await expect.poll(() => told).toEqual(['carl vaults'])
    // The open invitations of a former admin are withdrawn.
    await as(ann)('share-vault', { ...place, userId: bob.userId, role: 'editor' })
    await expect.poll(() => told.slice(1).toSorted()).toEqual(['bob vaults', 'dora vaults'])
    const listed = (await as(ann)('list-vaults', { id: ann.vaultId })).body as { vaults: [{ name: string }] }
    const gone = await as(ann)('delete-vault', { id: ann.vaultId, name: listed.vaults[0].name })
    expect(gone.status).toBe(200)
    await expect.poll(() => told.slice(3).toSorted(), { timeout: 5_000 }).toEqual(['bob vaults', 'eve vaults'])
  })

  it('does not invite someone again whose role is changed after they were removed', async () => {
    const { test, ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'editor')
    const change = (role: string) => as(ann)('share-vault', { ...place, userId: bob.userId, role })
    expect((await change('viewer')).body).toMatchObject({ email: bob.email, role: 'viewer', invited: false })
    await as(ann)('delete-vault-member', { ...place, userId: bob.userId })
    expect(await change('admin')).toMatchObject({ status: 404, body: { error: 'Member not found' } })
    expect((await as(ann)('share-vault', { ...place, userId: ann.userId, role: 'admin' })).status).toBe(404)
    expect(await invitationsOf(test, bob)).toEqual([])
    const both = { ...place, userId: bob.userId, email: bob.email, role: 'viewer' }
    expect((await as(ann)('share-vault', both)).status).toBe(400)
  })

  it('is left with one’s own id in any case of its letters', async () => {
    const { bob, as, place, share, read } = await startWithTwo(dialect)
    await share(bob, 'viewer')
    const answer = await as(bob)('delete-vault-member', { ...place, userId: bob.userId.toUpperCase() })
    expect([answer.status, await read(bob)]).toEqual([200, 404])
  })

  it('lets members leave, and only admins remove others', async () => {
    const { ann, bob, as, place, share, read, test } = await startWithTwo(dialect)
    const carl = await makeUser(test)
    await share(bob, 'editor')
    await share(carl, 'viewer')
    const remove = async (user: TestUser, userId: string) =>
      (await as(user)('delete-vault-member', { ...place, userId })).status
    expect(await remove(bob, carl.userId)).toBe(403)
    expect(await remove(bob, ann.userId)).toBe(403)
    expect(await remove(ann, ann.userId)).toBe(403)
    expect(await remove(bob, bob.userId)).toBe(200)
    expect(await remove(ann, bob.userId)).toBe(404)
    expect([await read(bob), await read(carl)]).toEqual([404, 200])
  })

  it('changes the role of a member at once', async () => {
    const { ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'editor')
    const write = async () => (await as(bob)('write-memory', { ...place, content: `Fact ${newId()}.` })).status
    expect(await write()).toBe(201)
    const changed = await as(ann)('share-vault', { ...place, email: bob.email, role: 'viewer' })
    expect(changed.body).toMatchObject({ invited: false, role: 'viewer' })
    expect(await write()).toBe(403)
  })

  it('stays closed to the agents of a member', async () => {
    const { test, bob, place, share } = await startWithTwo(dialect)
    const key = await makeAgent(test, bob, { preset: 'admin' })
    await share(bob, 'admin')
    expect((await test.call('read-memories', { ...place, memoryIds: [newId()] }, { key })).status).toBe(404)
    expect((await test.call('write-memory', { ...place, content: 'Hello.' }, { key })).status).toBe(404)
    expect((await test.call('list-vaults', {}, { key })).body).toMatchObject({ total: 1 })
  })

  it('is left by a deleted account, and closed when its owner is deleted', async () => {
    const { test, ann, bob, as, place, share, read } = await startWithTwo(dialect)
    const operator = await makeUser(test, { isOwner: true })
    const remove = async ({ userId, email }: TestUser) => {
      const headers = { 'x-holdfast-user': operator.userId }
      const key = test.app.operatorToken.token
      const answer = await test.call('delete-user', { userId, email }, { key, audience: 'person', headers })
      expect(answer.status, answer.text).toBe(200)
    }
    const carl = await makeUser(test)
    await share(bob, 'editor')
    await share(carl, 'viewer')
    await remove(bob)
    expect((await as(ann)('list-vault-members', place)).body).toMatchObject({
      members: [{ userId: ann.userId }, { userId: carl.userId }],
    })
    await remove(ann)
    expect(await read(carl)).toBe(404)
    expect((await as(carl)('list-vaults', {})).body).toMatchObject({ total: 1 })
    const rows = await test.app.services.db.read.selectFrom('vaultMembers').selectAll().execute()
    expect(rows).toEqual([])
  })

  it('tells members of its changes, and nothing after they were removed', async () => {
    const { test, ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'viewer')
    const { news, db, log } = test.app.services
    const heard: ChangeNews[] = []
    const shared = createSharedNews({ db: db.read, news, log }, bob.userId, (one) => heard.push(one))
    shared.begin()
    await expect.poll(() => heard.length).toBe(1)
    await as(ann)('write-memory', { ...place, content: 'The gate is green.' })
    await expect.poll(() => heard.at(-1)?.types).toContain('memories')
    expect(heard.every(({ vaultId }) => vaultId === ann.vaultId)).toBe(true)
    await as(ann)('delete-vault-member', { ...place, userId: bob.userId })
    const before = heard.length
    const owners: ChangeNews[] = []
    news.listen(ann.userId, (one) => owners.push(one), undefined)
    await as(ann)('write-memory', { ...place, content: 'The gate is red.' })
    await expect.poll(() => owners.flatMap(({ types }) => types)).toContain('memories')
    expect(heard).toHaveLength(before)
    shared.leave()
  })

  it('tells an admin who renames it nothing about the names of the owner’s other vaults', async () => {
    const { ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'admin')
    await as(ann)('create-vault', { name: 'Divorce' })
    const rename = async (by: TestUser) => {
      const { status, body } = await as(by)('update-vault', { id: place.vaultId, name: 'divorce' })
      return [status, body]
    }
    expect(await rename(ann)).toMatchObject([400, { fields: { name: expect.stringContaining('another vault') } }])
    expect(await rename(bob)).toMatchObject([200, { vault: { name: 'divorce' } }])
  })

  it('tells members nothing of its messages, which stay with the owner', async () => {
    const { test, ann, bob, as, place, share } = await startWithTwo(dialect)
    await share(bob, 'admin')
    const { news, db, log } = test.app.services
    const heard: ChangeNews[] = []
    const shared = createSharedNews({ db: db.read, news, log }, bob.userId, (one) => heard.push(one))
    shared.begin()
    await expect.poll(() => heard.length).toBe(1)
    const owners: ChangeNews[] = []
    news.listen(ann.userId, (one) => owners.push(one), undefined)
    const sent = await as(ann)('send-message', { ...place, targetId: 'user', content: 'The gate is green.' })
    expect(sent.status, sent.text).toBe(201)
    await expect.poll(() => owners.flatMap(({ types }) => types)).toContain('messages')
    await as(ann)('write-memory', { ...place, content: 'The gate is green.' })
    await expect.poll(() => heard.length).toBe(2)
    expect(heard[1]?.types).toContain('memories')
    expect(heard.flatMap(({ types }) => types)).not.toContain('messages')
    shared.leave()
  })
})
