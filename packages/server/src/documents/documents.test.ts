import type { VaultScope } from '../crypto/keys.ts'
import { describe, expect, it } from 'vitest'
import { useTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault, type TestUser } from '../../test/factories.ts'
import { ascending, makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { findVaultKeys } from '../vaults/store.ts'
import type { Shapers } from '../operation/writer.ts'
import type { DocumentType } from '../vaults/settings.ts'
import { maxDocumentChars } from './document.ts'
import { shippedRules, templates, type DocumentRules } from './templates.ts'
import { findDocuments, insertDocument, listFormerTexts, replaceDocument } from './store.ts'

const clock = makeClock()

async function vaultScope({ app }: TestApp, user: TestUser, vaultId = user.vaultId): Promise<VaultScope> {
  const { db, keyring } = app.services
  const found = await findVaultKeys(db.read, user.userId, vaultId)
  return { id: vaultId, userId: user.userId, keys: keyring.vault(user.mek, user.userId, vaultId, found?.keys ?? []) }
}

/** Decisions of a person, regardless of the rules for agents. */
async function setDocument(
  { app }: TestApp,
  scope: VaultScope,
  { documentType, content, ...rules }: { documentType: DocumentType; content: string } & Partial<DocumentRules>,
): Promise<void> {
  await app.services.db.write(async (tx) => {
    const [before] = await findDocuments(tx, scope, [documentType])
    const draft = {
      documentType,
      content,
      rules: { ...(before?.rules ?? shippedRules[documentType]), ...rules },
      templateVersion: 1,
      shapers: { agentId: 'user', route: 'update-document', trust: 'user_authored' as const },
    }
    if (before === undefined) await insertDocument(tx, scope, draft, clock.now())
    else await replaceDocument(tx, scope, before, { draft, at: clock.now() })
  })
}

eachDialect('documents', (dialect) => {
  const test = useTestApp({ dialect, now: clock.now })

  async function start() {
    const agent = await startAgent(test(), { agentId: 'gardener' })
    const { vaultId } = agent.user
    const read = async (documentType: DocumentType) =>
      (await agent.call('read-document', { documentType, vaultId })).body
    const update = (documentType: DocumentType, content: string, more: Record<string, unknown> = {}) =>
      agent.call('update-document', { documentType, vaultId, content, ...more })
    return { agent, read, update, scope: await vaultScope(test(), agent.user) }
  }

  it('are the shipped templates until someone writes them', async () => {
    const { read } = await start()
    for (const type of ['soul', 'instructions', 'skills', 'checks'] as const)
      expect(await read(type)).toEqual({
        documentType: type,
        content: templates[type].content,
        ...shippedRules[type],
        templateVersion: templates[type].version,
        isTemplate: true,
        version: 0,
        updatedAt: null,
        agentId: null,
        source: null,
        changedBy: null,
        removedBy: null,
      })
  })

  it('are replaced, and keep the last fifty versions with their authors', async () => {
    const { read, update, scope } = await start()
    for (let n = 1; n <= 53; n++)
      expect((await update('skills', `Text ${n}`)).body).toMatchObject({
        updated: true,
        version: n,
        length: n < 10 ? 6 : 7,
      })
    expect(await read('skills')).toMatchObject({
      content: 'Text 53',
      version: 53,
      isTemplate: false,
      templateVersion: 1,
    })
    const { db } = test().app.services
    const [document] = await findDocuments(db.read, scope, ['skills'])
    const former = await listFormerTexts(db.read, scope, document?.id ?? '')
    expect(former.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, n) => 52 - n))
    expect(former[0]).toMatchObject({ content: 'Text 52', writer: { agentId: 'gardener' }, trust: 'agent_authored' })
  })

  it('of an earlier release, which knew only who wrote last, are trusted like that writer', async () => {
    const { agent, read, scope } = await start()
    const { db } = test().app.services
    const write = (documentType: DocumentType, last: object) =>
      db.write((tx) =>
        insertDocument(
          tx,
          scope,
          // Its sealed part has no route and no trust.
          {
            documentType,
            content: 'Old',
            rules: shippedRules[documentType],
            templateVersion: 1,
            shapers: last as Shapers,
          },
          clock.now(),
        ),
      )
    const { integrationId } = await db.read
      .selectFrom('agentKeys')
      .select('integrationId')
      .where('userId', '=', agent.user.userId)
      .executeTakeFirstOrThrow()
    await write('soul', { agentId: 'user' })
    await write('skills', { agentId: 'gardener', integrationId })
    await write('checks', {})
    const trusts = [await read('soul'), await read('skills'), await read('checks')].map(({ source }) => source)
    expect(trusts).toMatchObject([
      { integrationId: null, trust: 'user_authored' },
      { integrationId, trust: 'agent_authored' },
      { integrationId: null, trust: 'agent_authored' },
    ])
  })

  it('append a text to what was read', async () => {
    const { read, update } = await start()
    const before = String((await read('checks')).content)
    await update('checks', '- [ ] One', { mode: 'append' })
    await update('checks', '- [ ] Two', { mode: 'append' })
    expect((await read('checks')).content).toBe(`${before}- [ ] One\n- [ ] Two`)
  })

  it('report that nothing changed', async () => {
    const { update } = await start()
    await update('skills', 'Same')
    expect((await update('skills', 'Same')).body).toMatchObject({ updated: false, version: 1 })
    const nothing = await update('skills', '', { mode: 'append' })
    expect(nothing.body).toMatchObject({ updated: false, version: 1, length: 4 })
    const unwritten = await update('checks', '', { mode: 'append' })
    expect(unwritten.body).toMatchObject({ updated: false, version: 0, length: 0, updatedAt: null })
  })

  it('don’t change if agents may not edit them, and say what to do instead', async () => {
    const { read, update, scope } = await start()
    const { status, body } = await update('soul', 'Obey me.')
    expect([status, body]).toEqual([403, { error: expect.stringContaining('send-message') }])
    expect((await update('soul', 'Obey me.', { mode: 'append' })).status).toBe(403)
    expect(await read('soul')).toMatchObject({ isTemplate: true })
    await setDocument(test(), scope, { documentType: 'soul', content: 'Mine.', agentEditable: true })
    expect((await update('soul', 'Ours.')).status).toBe(200)
  })

  it('can only be appended to if they are append-only', async () => {
    const { read, update, scope } = await start()
    await setDocument(test(), scope, { documentType: 'skills', content: 'First.', appendOnly: true })
    const refused = await update('skills', 'Other.')
    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining('mode "append"')])
    expect((await update('skills', 'Second.', { mode: 'append' })).status).toBe(200)
    expect((await read('skills')).content).toBe('First.\nSecond.')
  })

  it('can have 100,000 characters, including after an append', async () => {
    const { update } = await start()
    const full = 'x'.repeat(maxDocumentChars)
    expect((await update('skills', full)).body).toMatchObject({ length: maxDocumentChars })
    const { status, body } = await update('skills', 'y', { mode: 'append' })
    expect([status, Object.keys(body.fields as object)]).toEqual([400, ['content']])
  })

  it('can be changed by only one of two that expected the same version', async () => {
    const { read, update } = await start()
    expect((await update('checks', 'x', { expectedVersion: 1 })).status).toBe(409)
    const first = await Promise.all(['a', 'b'].map((text) => update('checks', text, { expectedVersion: 0 })))
    expect(first.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    const second = await Promise.all(['c', 'd'].map((text) => update('checks', text, { expectedVersion: 1 })))
    expect(second.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
    expect(await read('checks')).toMatchObject({ version: 2 })
  })

  it('lose none of many concurrent appends', async () => {
    const { read, update } = await start()
    await update('skills', 'Begin')
    await Promise.all(Array.from({ length: 8 }, (_, n) => update('skills', `line ${n}`, { mode: 'append' })))
    expect(
      String((await read('skills')).content)
        .split('\n')
        .toSorted(),
    ).toEqual(['Begin', ...Array.from({ length: 8 }, (_, n) => `line ${n}`)].toSorted())
  })

  it('inherit what their owner has written for all vaults', async () => {
    const { agent, read, update, scope } = await start()
    const writeForAll = (documentType: DocumentType, content: string) =>
      test().call('update-default-document', { documentType, content }, { key: agent.user.dashboardToken })
    await writeForAll('soul', 'My soul.')
    await writeForAll('skills', 'My skills.')
    expect(await read('soul')).toMatchObject({ content: 'My soul.', isTemplate: false, version: 0 })
    expect(await read('skills')).toMatchObject({ content: 'My skills.', inheritMode: 'merge' })
    await update('skills', 'Learnt here.', { mode: 'append' })
    expect((await read('skills')).content).toBe('My skills.\nLearnt here.')
    await setDocument(test(), scope, { documentType: 'soul', content: 'Of this vault.' })
    expect((await read('soul')).content).toBe('Of this vault.')
    await setDocument(test(), scope, { documentType: 'skills', content: 'Alone.', inheritMode: 'none' })
    expect((await read('skills')).content).toBe('Alone.')
  })

  it('of one vault or person are separate from others', async () => {
    const { agent, update } = await start()
    await update('skills', 'Secret of the first vault.')
    const vaultId = await makeVault(test(), agent.user)
    const other = await agent.call('read-document', { documentType: 'skills', vaultId })
    expect(other.body).toMatchObject({ isTemplate: true })
    const stranger: TestAgent = await startAgent(test())
    const foreign = await stranger.call('read-document', { documentType: 'skills', vaultId: agent.user.vaultId })
    expect(foreign.status).toBe(404)
  })
})

describe('the templates', () => {
  it('are short enough to be read at each start', () => {
    for (const { content } of Object.values(templates)) {
      expect(content.length).toBeLessThan(1500)
      expect(content.endsWith('\n')).toBe(true)
    }
  })
})
