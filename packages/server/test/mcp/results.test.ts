import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { connectHttp, idIn } from './connect.ts'

/** Answers fit, say what is missing, and name a call that gets it, which then works. */

const test = useTestApp()
let url: string
let key: string

beforeAll(async () => {
  url = await test().app.listen()
  key = (await makeUserWithAgent(test())).key
})

const open = () => connectHttp({ url, key, query: '?tools=core,full' })

/** The last call that a text names, as a host would make it. */
function callIn(text: string): [string, Record<string, unknown>] {
  const [, name = '', args = ''] = [...text.matchAll(/(?:Next|match): (\w+)\((.*)\)$/gm)].at(-1) ?? []
  const fields = [...args.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\d+|true|false)/g)]
  return [name, Object.fromEntries(fields.map(([, field = '', value = '']) => [field, JSON.parse(value) as unknown]))]
}

describe('a long answer', () => {
  it('lists as many as fit, and the next call continues where it ended', async () => {
    const { say } = await open()
    const padding = 'x'.repeat(250)
    for (let at = 0; at < 70; at++) await say('save_task', { title: `Task ${at} ${padding}`, description: padding })
    const seen = new Set<string>()
    let [tool, args]: [string, Record<string, unknown>] = ['list_tasks', { limit: 60 }]
    for (let page = 0; page < 5 && tool !== ''; page++) {
      const text = await say(tool, args)
      expect(text.length).toBeLessThanOrEqual(16_000)
      const shown = [...text.matchAll(/Task (\d+) x/g)].map(([, number = '']) => number)
      expect(shown.filter((number) => seen.has(number))).toEqual([])
      for (const number of shown) seen.add(number)
      ;[tool, args] = callIn(text)
    }
    expect(seen.size).toBe(70)
  })

  it('clips one item, says at which character, and continues from there', async () => {
    const { say } = await open()
    const content = Array.from({ length: 6_000 }, (_, at) => `word${at}`).join(' ')
    const id = idIn(await say('save_note', { title: 'Long', content }), 'n')
    const other = idIn(await say('save_note', { title: 'Also long', content }), 'n')
    const both = await say('read_items', { ids: [id, other] })
    expect(both.length).toBeLessThanOrEqual(16_000)
    expect(both).toMatch(new RegExp(`^${id}: characters 0 to \\d+ of ${content.length}\\. Next: read_items\\(`, 'm'))
    expect(callIn(both)[1]).toMatchObject({ ids: [id, other], offset: expect.any(Number) })
    let read = ''
    let [tool, args]: [string, Record<string, unknown>] = ['read_items', { ids: [id] }]
    for (let page = 0; page < 9 && tool !== ''; page++) {
      const text = await say(tool, args)
      expect(text.length).toBeLessThanOrEqual(16_000)
      read += /<(holdfast-item-\w+) [^>]*>\n([^]*?)\n<\/\1>/.exec(text)?.[2] ?? ''
      ;[tool, args] = callIn(text)
    }
    expect(read).toBe(content)
    const whole = await say('read_items', { ids: [id], maxChars: 100_000 })
    expect(whole).toContain('word5999')
  })

  it('of a search offers a wider one, and full items', async () => {
    const { say } = await open()
    for (let at = 0; at < 12; at++)
      await say('write_memory', { content: `Lighthouse number ${at} has its own colour: ${'abcdefghijkl'[at]}.` })
    const text = await say('search_memories', { query: 'lighthouse', in: 'memories' })
    expect(text).toContain('found: 8 memories')
    expect(callIn(text)).toEqual(['search_memories', { query: 'lighthouse', in: 'memories', limit: 16 }])
    const wider = await say(...callIn(text))
    for (let at = 0; at < 12; at++) expect(wider).toContain(`Lighthouse number ${at} `)
    const tight = await say('search_memories', { query: 'lighthouse', in: 'memories', limit: 12, maxChars: 1_500 })
    expect(tight.length).toBeLessThanOrEqual(1_500)
    const [name, { ids }] = callIn(tight)
    expect([name, Array.isArray(ids)]).toEqual(['read_items', true])
  })

  it('of documents and single notes continues where it ended, as it was written', async () => {
    const { say } = await open()
    const { vaultId } = (await test().call('info', {}, { key })).body
    const content = Array.from({ length: 4_000 }, (_, at) => `- rule number ${at}`).join('\n')
    await test().call('update-document', { documentType: 'skills', vaultId, content, mode: 'replace' }, { key })
    const id = idIn(await say('save_note', { title: 'Rules', content }), 'n').slice(2)
    const other = idIn(await say('save_note', { title: 'More rules', content }), 'n').slice(2)
    const calls: [string, Record<string, unknown>, number][] = [
      ['read_document', { documentType: 'skills', vaultId: 'Main' }, 1],
      ['read_document', { documentType: 'skills', maxChars: 30_000 }, 1],
      ['read_note', { noteId: id, maxChars: 4_000 }, 1],
      ['read_notes', { noteIds: [id, other] }, 2],
    ]
    for (const [name, asked, times] of calls) {
      let read = ''
      let [tool, args]: [string, Record<string, unknown>] = [name, asked]
      for (let page = 0; page < 60 && tool !== ''; page++) {
        const text = await say(tool, args)
        expect(text.length).toBeLessThanOrEqual(Number(asked['maxChars'] ?? 16_000))
        for (const [, , part = ''] of text.matchAll(/<(holdfast-item-\w+) [^>]*>\n([^]*?)\n<\/\1>/g)) read += part
        ;[tool, args] = callIn(text)
        const lost = tool === '' ? [] : Object.keys(asked).filter((argument) => !Object.hasOwn(args, argument))
        expect(lost).toEqual([])
      }
      expect(read, name).toBe(content.repeat(times))
    }
    const { client } = await open()
    const { contents } = await client.readResource({ uri: `holdfast://document/${String(vaultId)}/skills` })
    expect((contents[0] as { text: string }).text).toContain('rule number 3999')
  })

  it('names valid calls that keep the vault, the length and the filters', async () => {
    const { say } = await connectHttp({ url, key })
    const vault = /[0-9a-f-]{36}/.exec(await (await open()).say('create_vault', { name: 'Links' }))?.[0] ?? ''
    const hub = idIn(await say('write_memory', { content: 'The hub.', vault }), 'm')
    for (let at = 0; at < 5; at++) {
      const end = idIn(await say('write_memory', { content: `Spoke ${at} of the wheel.`, vault }), 'm')
      await say('add_link', { sourceId: hub, targetId: end, relationType: 'references', vault })
      await say('save_task', { title: `Spoke ${at}`, vault })
    }
    const first: [string, Record<string, unknown>, RegExp][] = [
      ['explore_graph', { id: hub, hops: 5, relations: ['references'], limit: 2, vault: 'Links' }, /Spoke (\d) of/g],
      ['explore_graph', { id: hub, hops: 1, relations: ['references'], limit: 2, vault: 'Links' }, /Spoke (\d) of/g],
      ['list_tasks', { status: ['todo'], limit: 2, vault: 'Links' }, / Spoke (\d)$/gm],
    ]
    for (const [name, asked, shown] of first) {
      const seen: string[] = []
      let [tool, args] = [name, asked]
      for (let page = 0; page < 5 && tool !== ''; page++) {
        const text = await say(tool, args)
        seen.push(...[...text.matchAll(shown)].map(([, number = '']) => number))
        ;[tool, args] = callIn(text)
        const kept = tool === '' ? {} : { ...asked, vault }
        expect(args).toMatchObject(kept)
      }
      expect(seen.toSorted(), name).toEqual(['0', '1', '2', '3', '4'])
    }
    const wider = await say('search_memories', {
      query: 'wheel',
      memoryTypes: ['fact'],
      limit: 2,
      vault: 'Links',
      maxChars: 5_000,
    })
    expect(callIn(wider)).toEqual([
      'search_memories',
      { query: 'wheel', memoryTypes: ['fact'], limit: 4, maxChars: 5_000, vault },
    ])
  })

  it('of messages leads through all of them, however many are pending', async () => {
    const { say } = await open()
    const send = (at: number) =>
      test().call('send-message', { targetId: '*', content: `Number ${at}.`, agentId: 'zed' }, { key })
    for (let at = 0; at < 104; at++) expect((await send(at)).status).toBe(201)
    const seen = new Set<string>()
    let [tool, args]: [string, Record<string, unknown>] = ['read_messages', { limit: 60 }]
    for (let page = 0; page < 10 && tool !== ''; page++) {
      const text = await say(tool, args)
      for (const [id] of text.matchAll(/msg:[0-9a-f-]{36}/g)) seen.add(id)
      ;[tool, args] = callIn(text)
    }
    expect([tool, seen.size]).toEqual(['', 104])
  })

  it('as JSON is not longer than as text', async () => {
    const { say } = await open()
    const id = idIn(await say('save_note', { title: 'Long as JSON', content: 'z'.repeat(30_000) }), 'n')
    const { client } = await connectHttp({ url, key, query: '?structured=1' })
    const read = (args: object) => client.callTool({ name: 'read_items', arguments: { ids: [id], ...args } })
    expect((await read({})).structuredContent).toEqual({
      error: expect.stringMatching(/^TOO_LARGE: .* 3\d{4} characters; the limit is 16000\./),
    })
    expect((await read({ maxChars: 50_000 })).structuredContent).toMatchObject({ items: [{ title: 'Long as JSON' }] })
  })

  it('of an operation fits as well', async () => {
    const { say } = await open()
    await say('save_note', { title: 'Huge', content: 'y'.repeat(400_000) })
    for (const [name, args] of [
      ['search_and_read', { query: 'Huge', maxChars: 400_000 }],
      ['list_tasks', { limit: 100 }],
      ['list_notes', { limit: 100 }],
    ] as const)
      expect((await say(name, args)).length).toBeLessThanOrEqual(16_000)
  })

  it('of a session respects the requested size', async () => {
    const { say } = await open()
    for (const maxChars of [3_200, 6_000]) {
      const text = await say('session_start', { mode: 'deep', maxChars })
      expect(text.length).toBeLessThanOrEqual(maxChars)
      expect(text).toContain('Left out for lack of room:')
      expect(text).toMatch(/<\/holdfast-recall-\w+>/)
    }
  })
})

describe('a wrong call', () => {
  it.each([
    [
      'write_memory',
      { contents: 'x' },
      'contents: no such argument; did you mean content?; content: required (a string)',
    ],
    [
      'write_memory',
      { content: 'x', memoryType: 'preferences' },
      'memoryType: must be one of fact, .* \\(did you mean preference\\?\\)',
    ],
    ['write_memory', { content: 'x', importance: 9 }, 'importance: must be 1 to 5 \\(got 9\\)'],
    ['search_memories', { query: 'x', limit: 500 }, 'limit: must be 1 to 50 \\(got 500\\)'],
    ['read_items', { ids: [] }, 'ids: must have 1 to 50 items \\(got 0\\)'],
    ['read_items', { ids: ['abc'] }, 'ids: must be an id from an answer'],
    ['save_task', { description: 'x' }, 'title: required to create a task'],
    ['save_note', { content: 'x' }, 'title: required to create a note'],
    ['explore_graph', {}, 'id: required, or query'],
    ['write_memory', { content: 'x', expiresAt: 'tomorrow' }, 'expiresAt: must be a time in ISO 8601'],
    ['save_note', { title: 'x', folder: 'a'.repeat(201) }, 'folder: a folder name can have'],
    ['list_tasks', { vault: 'No such' }, 'no vault has the name "No such"'],
  ])('of %s with %j says what to do', async (name, args, words) => {
    const { fail } = await open()
    expect(await fail(name, args)).toMatch(
      new RegExp(
        `^(VALIDATION|NOT_FOUND): .*${words.replaceAll(/\((a string)\)/g, '\\($1\\)').replaceAll('?;', '\\?;')}`,
      ),
    )
  })

  it('is understood if its meaning is clear', async () => {
    const { say } = await open()
    const id = idIn(
      await say('write_memory', { content: 'Meant well.', entities: 'Ada', importance: '4', summary: null }),
      'm',
    )
    expect(await say('read_items', { memoryIds: id })).toContain('importance="4"')
    expect(await say('update_memory', { memoryId: id.slice(2), importance: '2' })).toContain('version 2')
    await say('update_memory', { id, expiresAt: '2040-01-01T00:00:00Z' })
    const expiry = async () =>
      (await test().call('read-memories', { memoryIds: [id.slice(2)] }, { key })).body.memories as {
        expiresAt: unknown
      }[]
    expect((await expiry())[0]?.expiresAt).toBe('2040-01-01T00:00:00.000Z')
    await say('update_memory', { id, expiresAt: '' })
    expect((await expiry())[0]?.expiresAt).toBeNull()
    expect(await say('list_tasks', { status: 'In Progress', topK: '5' })).toContain('vault: Main')
    expect(await say('search_memories', { query: 'meant', memoryTypes: '["fact"]' })).toContain(id)
  })
})
