import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { connectHttp, connectStdio, idIn } from './connect.ts'

const test = useTestApp()
let address: Promise<string> | undefined
const listen = () => (address ??= test().app.listen())

interface TextContents {
  uri: string
  text: string
  mimeType: string
}

describe('resources', () => {
  it.each([
    ['http', connectHttp, '2026', { subscribe: true, listChanged: true }],
    ['http of the earlier revision', connectHttp, '2025', {}],
    ['stdio', connectStdio, '2026', {}],
  ] as const)(
    'over %s are the contents of the vault, each readable at its URI',
    async (_name, connect, era, offered) => {
      const { key, vaultId } = await makeUserWithAgent(test())
      const { client, say } = await connect({ url: await listen(), key, era })
      // Subscriptions only where the transport can deliver them.
      expect(client.getServerCapabilities()?.resources).toEqual(offered)
      const memory = idIn(await say('write_memory', { content: 'The lamp is blue.', importance: 5 }), 'm').slice(2)
      const note = idIn(await say('save_note', { title: 'Lamps', content: 'All of them are blue.' }), 'n').slice(2)
      await say('save_task', { title: 'Buy a lamp' })
      const { resources } = await client.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual([
        `holdfast://context/${vaultId}`,
        'holdfast://inbox',
        `holdfast://tasks/${vaultId}`,
        ...['soul', 'instructions', 'skills', 'checks'].map((type) => `holdfast://document/${vaultId}/${type}`),
        `holdfast://note/${note}`,
      ])
      const read = async (uri: string) => {
        const [content] = (await client.readResource({ uri })).contents as TextContents[]
        expect(content).toMatchObject({ uri, mimeType: 'text/markdown' })
        return content?.text ?? ''
      }
      for (const { uri } of resources) expect(await read(uri), uri).toMatch(/^vault: (Main|all)\n/)
      expect(await read(`holdfast://context/${vaultId}`)).toContain('The lamp is blue.')
      expect(await read('holdfast://context/Main')).toContain('The lamp is blue.')
      expect(await read('holdfast://tasks/main')).toContain('Buy a lamp')
      expect(await read(`holdfast://note/${note}`)).toContain('All of them are blue.')
      expect(await read(`holdfast://memory/${memory}`)).toContain('The lamp is blue.')
      const { resourceTemplates } = await client.listResourceTemplates()
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'holdfast://context/{vault}',
        'holdfast://tasks/{vault}',
        'holdfast://document/{vault}/{documentType}',
        'holdfast://note/{noteId}',
        'holdfast://memory/{memoryId}',
      ])
    },
  )

  it('that do not exist are not found', async () => {
    const { key } = await makeUserWithAgent(test())
    const { client } = await connectHttp({ url: await listen(), key })
    for (const uri of [
      'holdfast://note/0198c5f0-0000-7000-8000-000000000001',
      'holdfast://memory/abc',
      'holdfast://context/Nowhere',
      'holdfast://document/Main/poem',
      'holdfast://inbox/more',
      'holdfast://%E0%A4%A/x',
      'file:///etc/passwd',
    ])
      await expect(client.readResource({ uri }), uri).rejects.toThrow(/not found/i)
  })

  it('do not depend on the connection’s tools, and leave what is new to the next session', async () => {
    const { key, vaultId } = await makeUserWithAgent(test())
    const { client, say } = await connectHttp({ url: await listen(), key, query: '?tools=full' })
    await say('session_start')
    await say('write_memory', { content: 'The lamp is green.', agentId: 'other', importance: 5 })
    const uris = [`holdfast://context/${vaultId}`, `holdfast://tasks/${vaultId}`, 'holdfast://inbox']
    for (const uri of uris)
      expect(((await client.readResource({ uri })).contents as TextContents[])[0]?.text).toMatch(/^vault: (Main|all)\n/)
    for (const name of ['recall', 'handoff', 'incident', 'retrospective', 'review_memories']) {
      const { messages } = await client.getPrompt({ name, arguments: { topic: 'lamp', problem: 'lamp' } })
      const told = messages.map(({ content }) => (content as { text: string }).text).join('')
      expect(told, name).toMatch(/\nvault: Main\n/)
    }
    expect(await say('session_start')).toMatch(/created: 1\b/)
  })

  it('reading the context starts no session', async () => {
    const { key, vaultId } = await makeUserWithAgent(test())
    const { client, say } = await connectHttp({ url: await listen(), key })
    const run = /run: (\S+)/.exec(await say('session_start', { mode: 'none' }))?.[1]
    const { contents } = await client.readResource({ uri: `holdfast://context/${vaultId}` })
    expect((contents as TextContents[])[0]?.text).toContain(`run: ${run}`)
  })
})

describe('prompts', () => {
  it('return memories together with their instruction', async () => {
    const { key } = await makeUserWithAgent(test())
    const { client, say } = await connectHttp({ url: await listen(), key })
    await say('write_memory', { content: 'The lamp is blue, decided with Ada.', importance: 5 })
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      'recall',
      'checkpoint',
      'handoff',
      'incident',
      'retrospective',
      'review_memories',
    ])
    const textOf = async (name: string, args: Record<string, string> = {}) => {
      const { messages } = await client.getPrompt({ name, arguments: args })
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }])
      return messages.map(({ content }) => (content as { text: string }).text).join('')
    }
    expect(await textOf('recall', { topic: 'lamp' })).toMatch(
      /know about: lamp\n[^]*<holdfast-recall[^]*The lamp is blue/,
    )
    expect(await textOf('checkpoint')).toContain('context_checkpoint')
    expect(await textOf('handoff', { agent: 'bob' })).toMatch(
      /send_message to "bob"[^]*mode: handoff[^]*The lamp is blue/,
    )
    const run = /run: (\S+)/.exec(await say('session_start', { mode: 'none' }))?.[1]
    for (const name of ['handoff', 'incident']) expect(await textOf(name, { problem: 'x' })).toContain(`run: ${run}`)
    expect(await textOf('handoff')).not.toContain('send_message to')
    expect(await textOf('incident', { problem: 'the lamp is dark' })).toMatch(
      /broken: the lamp is dark[^]*mode: incident/,
    )
    expect(await textOf('retrospective')).toContain('five lessons')
    expect(await textOf('review_memories', { topic: 'lamp' })).toContain('The lamp is blue')
    await expect(client.getPrompt({ name: 'recall' })).rejects.toThrow('topic is required')
    await expect(client.getPrompt({ name: 'recal' })).rejects.toThrow('did you mean recall?')
  })
})

describe('completions', () => {
  it('offer vaults, documents, notes, folders, entities and agents that the key may read, and nothing else', async () => {
    const user = await makeUserWithAgent(test())
    const { client, say } = await connectHttp({ url: await listen(), key: user.key })
    await say('write_memory', { content: 'The lamp in the hall is blue.', entities: ['Lamp of Ada'] })
    const note = idIn(await say('save_note', { title: 'Lampshades', content: 'x', folder: 'Lamps' }), 'n').slice(2)
    const typed = async (ref: { name: string } | { uri: string }, name: string, value: string) => {
      const type = 'name' in ref ? { type: 'ref/prompt' as const, ...ref } : { type: 'ref/resource' as const, ...ref }
      return (await client.complete({ ref: type, argument: { name, value } })).completion.values
    }
    const context = { uri: 'holdfast://context/{vault}' }
    expect(await typed(context, 'vault', 'ma')).toEqual(['Main'])
    expect(await typed(context, 'vault', 'x')).toEqual([])
    expect(await typed({ uri: 'holdfast://document/{vault}/{documentType}' }, 'documentType', 's')).toEqual([
      'soul',
      'skills',
    ])
    expect(await typed({ uri: 'holdfast://note/{noteId}' }, 'noteId', '')).toEqual([note])
    expect((await typed({ name: 'recall' }, 'topic', 'lamp')).toSorted()).toEqual([
      'Lamp of Ada',
      'Lamps',
      'Lampshades',
    ])
    expect(await typed({ name: 'handoff' }, 'agent', '')).toEqual(['Test agent'])
    expect(await typed({ name: 'recall' }, 'vault', '')).toEqual([])
    expect(await typed({ name: 'unknown' }, 'topic', '')).toEqual([])
    const other = await makeUserWithAgent(test())
    const stranger = await connectHttp({ url: await listen(), key: other.key })
    const asked = { type: 'ref/prompt' as const, name: 'recall' }
    const { completion } = await stranger.client.complete({ ref: asked, argument: { name: 'topic', value: 'lamp' } })
    expect(completion).toEqual({ values: [], total: 0, hasMore: false })
  })
})
