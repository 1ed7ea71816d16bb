import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { nextSeq } from '../vaults/store.ts'
import { sendJson } from '../core/testing/json-server.ts'
import { startFakeEndpoint, type FakeEndpoint } from '../embeddings/testing/fake-endpoint.ts'

const remember = async (agent: TestAgent, memory: Record<string, unknown>) => {
  const { status, body, text } = await agent.call('write-memory', { dedup: true, ...memory })
  expect([[200, 201], text]).toEqual([expect.arrayContaining([status]), text])
  expect(body.created).toBe(status === 201)
  return body
}

eachDialect('write-memory with dedup', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('returns the first memory for equal texts, and doesn’t change it', async () => {
    const agent = await startAgent(test())
    const first = await remember(agent, { content: 'The cat sleeps on the server.', importance: 2 })
    expect(first).toMatchObject({ created: true, dedupAction: 'none' })
    expect(first.duplicateOfId).toBeUndefined()
    clock.advance(1_000)
    expect(
      await remember(agent, { content: ' the CAT  sleeps\non the server.', importance: 5, summary: 'cat' }),
    ).toEqual({
      memoryId: first.memoryId,
      created: false,
      idempotent: false,
      memoryType: 'fact',
      vaultId: agent.user.vaultId,
      version: 1,
      dedupAction: 'exact_match',
      duplicateOfId: first.memoryId,
      similarity: 1,
    })
    expect(await agent.read(String(first.memoryId))).toMatchObject({ importance: 2, summary: null, version: 1 })
    expect(await agent.search('cat')).toHaveLength(1)
  })

  it('returns the first memory for texts with nearly the same words', async () => {
    const agent = await startAgent(test())
    const { memoryId } = await remember(agent, { content: 'The user prefers tabs over spaces in Go code' })
    const again = await remember(agent, { content: 'User prefers tabs over spaces in the Go code!' })
    expect(again).toMatchObject({ memoryId, dedupAction: 'near_duplicate', duplicateOfId: memoryId, similarity: 1 })
    const more = await remember(agent, { content: 'The user prefers tabs over spaces in her Go code' })
    expect(more).toMatchObject({ created: true, dedupAction: 'none' })
  })

  it('stores texts that differ in a number, a name or a negation', async () => {
    const agent = await startAgent(test())
    const texts = [
      'The primary billing database of the northern region listens on port 5432 behind the proxy of Ann',
      'The primary billing database of the northern region listens on port 5433 behind the proxy of Ann',
      'The primary billing database of the northern region never listens on port 5432 behind the proxy of Ann',
      'The primary billing database of the northern region listens on port 5432 behind the proxy of Bob',
      'The primary billing database of the southern region listens on port 5432 behind the proxy of Ann',
    ]
    for (const content of texts) expect(await remember(agent, { content })).toMatchObject({ dedupAction: 'none' })
    expect(await agent.search('billing database', { topK: 50 })).toHaveLength(texts.length)
  })

  it('uses the thresholds of the vault', async () => {
    const agent = await startAgent(test(), { preset: 'admin' })
    const settings = { dedup: { nearDuplicate: 1 } }
    const { vaultId } = agent.user
    const memoryId = await agent.write('The garden gate squeaks at seven')
    expect(await remember(agent, { content: 'The garden gate squeaks at 7' })).toMatchObject({
      memoryId,
      similarity: 1,
    })
    expect((await agent.call('update-settings', { vaultId, settings })).status).toBe(200)
    expect(await remember(agent, { content: 'The garden gate squeaks at 7' })).toMatchObject({ dedupAction: 'none' })
    expect(await remember(agent, { content: 'the garden gate squeaks at 7' })).toMatchObject({
      dedupAction: 'exact_match',
    })
  })

  it('does nothing unless requested', async () => {
    const agent = await startAgent(test())
    const [a, b] = [await agent.write('twice'), await agent.write('twice')]
    expect(a).not.toBe(b)
    const { body } = await agent.call('write-memory', { content: 'twice', dedup: false })
    expect([body.created, 'dedupAction' in body]).toEqual([true, false])
  })

  it('compares only live memories of the same vault and type', async () => {
    const agent = await startAgent(test())
    const stranger = await startAgent(test())
    const second = await makeVault(test(), agent.user)
    const content = 'The garden gate squeaks'
    const archived = await agent.write(content)
    await agent.call('archive-memory', { memoryId: archived })
    await agent.write({ content, expiresAt: clock.iso(1_000) })
    const superseded = await agent.write(content)
    const heir = await agent.write({ content: 'The garden gate was oiled', supersededById: superseded })
    await agent.call('archive-memory', { memoryId: heir })
    await agent.write({ content, memoryType: 'skill' })
    await agent.write({ content, vaultId: second })
    await stranger.write(content)
    clock.advance(1_000)
    const first = await remember(agent, { content })
    expect(first).toMatchObject({ created: true, dedupAction: 'none' })
    expect(await remember(agent, { content })).toMatchObject({ memoryId: first.memoryId, created: false })
  })

  it('includes restored memories, and the new text of changed ones', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('The hedge is green')
    await agent.call('archive-memory', { memoryId })
    await agent.call('update-memory', { memoryId, archived: false, content: 'The hedge is tall' })
    expect(await remember(agent, { content: 'the hedge is tall' })).toMatchObject({ memoryId, version: 3 })
    expect(await remember(agent, { content: 'the hedge is green' })).toMatchObject({ created: true })
  })

  it('stores a text that lasts longer than its duplicate', async () => {
    const agent = await startAgent(test())
    const content = 'The release train leaves the station on Friday'
    const soon = await remember(agent, { content, expiresAt: clock.iso(1_000) })
    expect(await remember(agent, { content, expiresAt: clock.iso(500) })).toMatchObject({ memoryId: soon.memoryId })
    const later = await remember(agent, { content, expiresAt: clock.iso(2_000) })
    expect(later).toMatchObject({ created: true, dedupAction: 'none' })
    const lasting = await remember(agent, { content: `${content}!` })
    expect(lasting).toMatchObject({ created: true, dedupAction: 'none' })
    expect(await remember(agent, { content, expiresAt: clock.iso(2_000) })).toMatchObject({ created: false })
    clock.advance(2_000)
    expect(await agent.search('release train')).toEqual([lasting.memoryId])
  })

  it('creates one memory from ten equal concurrent long writes, and compares no long text while others wait', async () => {
    const agent = await startAgent(test())
    const content = Array.from({ length: 9_000 }, (_, at) => `w${at.toString(36)}`).join(' ')
    const answers = await Promise.all(Array.from({ length: 10 }, () => remember(agent, { content })))
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(await remember(agent, { content: content.slice(3) })).toMatchObject({ created: true })
    expect(await remember(agent, { content: content.toUpperCase() })).toMatchObject({ dedupAction: 'exact_match' })
  })

  it('stores every one of many long texts that are alike and written at once', async () => {
    const agent = await startAgent(test())
    for (const words of [600, 3_000]) {
      const content = Array.from({ length: words }, (_, at) => `w${at.toString(36)}`).join(' ')
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => remember(agent, { content: `${content} ${at}` })),
      )
      expect(answers.map(({ created }) => created)).toEqual(answers.map(() => true))
    }
  })

  it('creates one memory from 40 equal concurrent writes', async () => {
    const agent = await startAgent(test())
    await agent.write('something else')
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => remember(agent, { content: at % 2 === 0 ? 'only once' : ' Only  ONCE' })),
    )
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(answers.map(({ memoryId }) => memoryId)).size).toBe(1)
    expect(answers.filter(({ dedupAction }) => dedupAction === 'exact_match')).toHaveLength(39)
  })

  it('keeps the idempotency key of a duplicate', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('The lamp is lit')
    const folded = { content: 'the lamp is lit', externalWriteId: 'k' }
    expect(await remember(agent, folded)).toMatchObject({ memoryId, idempotent: false, dedupAction: 'exact_match' })
    const repeat = { memoryId, created: false, idempotent: true, version: 1 }
    expect(await remember(agent, folded)).toMatchObject(repeat)
    expect(await remember(agent, { ...folded, content: 'Something else', dedup: false })).toMatchObject(repeat)
    expect(await agent.search('something')).toEqual([])
    await agent.call('archive-memory', { memoryId })
    expect(await remember(agent, folded)).toMatchObject({ ...repeat, version: 2 })
    const keyless = await remember(agent, { content: 'the lamp is lit' })
    expect(keyless.created).toBe(true)
  })

  it('uses one claim for many concurrent duplicates with the same idempotency key', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('The door is shut')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => remember(agent, { content: 'the door is shut', externalWriteId: 'k' })),
    )
    expect(answers.map((answer) => answer.memoryId)).toEqual(answers.map(() => memoryId))
    expect(answers.filter(({ idempotent }) => idempotent === false)).toHaveLength(1)
  })

  it('adds the links of a duplicate to the existing memory, and rejects unknown ends', async () => {
    const agent = await startAgent(test())
    const other = await agent.write('other')
    const memoryId = await agent.write('linked')
    const related = [other, { memoryId, relationType: 'refines' }]
    expect(await remember(agent, { content: 'Linked', relatedMemoryIds: related })).toMatchObject({ memoryId })
    expect((await agent.read(memoryId)).relatedMemories).toEqual([{ memoryId: other, relationType: 'references' }])
    const wrong = { content: 'Linked', dedup: true, relatedMemoryIds: [newId()] }
    expect((await agent.call('write-memory', wrong)).status).toBe(404)
  })

  it('stores a text that names the memory it supersedes', async () => {
    const agent = await startAgent(test())
    const old = await agent.write('The shed is locked')
    const newer = await remember(agent, { content: 'the shed is locked', supersededById: old })
    expect(newer).toMatchObject({ created: true, supersededMemoryId: old, dedupAction: 'none' })
  })

  it('compares again if too much was written in the meantime', async () => {
    const agent = await startAgent(test())
    for (let at = 0; at < 500; at += 20)
      await Promise.all(Array.from({ length: 20 }, (_, more) => agent.write(`filler ${at + more}`)))
    const { db, indexes } = test().app.services
    const { vaultId } = agent.user
    const read = indexes.read.bind(indexes)
    let looks = 0
    let first = ''
    indexes.read = async (vault, work) => {
      const found = await read(vault, work)
      if (looks++ === 0) {
        first = await agent.write('The well is deep')
        await db.write(async (tx) => {
          const seq = await nextSeq(tx, vault)
          await tx.updateTable('indexEntries').set({ seq }).where('vaultId', '=', vaultId).execute()
        })
      }
      return found
    }
    const again = await remember(agent, { content: 'the well is deep' })
    indexes.read = read
    expect([again.memoryId, again.created, looks]).toEqual([first, false, 2])
  })
})

describe('dedup by meaning', () => {
  let endpoint: FakeEndpoint
  /** The angle of each text's vector, in degrees: the cosine of two is that of their difference. */
  const angles = new Map<string, number>()
  const vectorOf = (text: string) => {
    const angle = ((angles.get(text) ?? 90) * Math.PI) / 180
    return [Math.cos(angle), Math.sin(angle), 0, 0, 0, 0, 0, 0]
  }
  beforeAll(async () => {
    endpoint = await startFakeEndpoint()
    endpoint.respond = ({ body }, response) => {
      const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
      sendJson(response, { object: 'list', model: 'angles', data, usage: { prompt_tokens: 1, total_tokens: 1 } })
    }
  })
  afterAll(() => endpoint.close())

  const start = async () =>
    startAgent(
      await startTestApp({
        config: { embeddings: { provider: 'openai', url: endpoint.url, key: undefined, model: 'angles' } },
      }),
    )

  const within = async (agent: TestAgent, content: string, angle: number, more: Record<string, unknown> = {}) => {
    angles.set(content, angle)
    return remember(agent, { content, ...more })
  }

  it('returns the first memory for a text with the same meaning', async () => {
    const agent = await start()
    const { memoryId } = await within(agent, 'Releases go out on Fridays', 0)
    const same = await within(agent, 'Every deployment happens on a Friday', 10)
    expect(same).toMatchObject({ memoryId, created: false, dedupAction: 'semantic_duplicate', duplicateOfId: memoryId })
    expect(same.similarity).toBeCloseTo(Math.cos((10 * Math.PI) / 180), 2)
    const apart = await within(agent, 'Every Friday ends with a quiz', 30)
    expect(apart).toMatchObject({ created: true, dedupAction: 'none' })
  })

  it('stores texts that differ in a number or a negation, however close the vectors are', async () => {
    const agent = await start()
    await within(agent, 'The proxy answers on port 8080', 0)
    for (const content of ['The proxy answers on port 8081', 'The proxy does not answer on port 8080'])
      expect(await within(agent, content, 0)).toMatchObject({ created: true, dedupAction: 'none' })
  })

  it('supersedes an outdated memory about the same entity', async () => {
    const agent = await start()
    const entities = ['Office']
    const old = await within(agent, 'The office of the team is in Berlin', 0, { entities })
    const newer = await within(agent, 'The office of the team is in Hamburg', 24, { entities: [' office '] })
    expect(newer).toMatchObject({
      created: true,
      dedupAction: 'superseded',
      duplicateOfId: old.memoryId,
      supersededMemoryId: old.memoryId,
    })
    expect(await agent.read(String(old.memoryId))).toMatchObject({ supersededById: newer.memoryId, version: 2 })
    expect(await agent.read(String(newer.memoryId))).toMatchObject({ supersedesId: old.memoryId })
    expect(await agent.search('office')).toEqual([newer.memoryId])
    const other = await within(agent, 'The office of the team is in Rome', 48, { entities: ['Rome'] })
    expect(other).toMatchObject({ created: true, dedupAction: 'none' })
  })

  it('stores a newer text next to one that its agent may not supersede', async () => {
    const app = await startTestApp({
      config: { embeddings: { provider: 'openai', url: endpoint.url, key: undefined, model: 'angles' } },
    })
    const agent = await startAgent(app, { writePolicy: { persons: 'ask', agents: 'yes' } })
    const { vaultId, dashboardToken: key } = agent.user
    const entities = ['Office']
    const content = 'The office of the team is in Berlin'
    angles.set(content, 0)
    const { memoryId } = (await app.call('write-memory', { vaultId, content, entities }, { key })).body
    const newer = await within(agent, 'The office of the team is in Hamburg', 24, { entities })
    expect(newer).toMatchObject({ created: true, dedupAction: 'none' })
    expect(await agent.read(String(memoryId))).toMatchObject({ supersededById: null, version: 1 })
  })

  it('supersedes with only one of many concurrent writes', async () => {
    const agent = await start()
    const entities = ['Office']
    await within(agent, 'The office of the team is in Berlin', 0, { entities })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => within(agent, 'The office of the team is in Hamburg', 24, { entities })),
    )
    expect(answers.filter(({ dedupAction }) => dedupAction === 'superseded')).toHaveLength(1)
    expect(answers.filter(({ dedupAction }) => dedupAction === 'exact_match')).toHaveLength(7)
  })

  it('compares long texts only by their words', async () => {
    const agent = await start()
    const long = (end: string) => `${'The report goes through every part of the house. '.repeat(200)}${end}`
    await remember(agent, { content: long('It ends well.') })
    expect(await remember(agent, { content: long('It ends with a fire.') })).toMatchObject({ created: true })
  })
})
