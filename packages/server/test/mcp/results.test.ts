import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { connectHttp, idIn } from './connect.ts'

/** Answers fit, say what is missing, and name a call that gets it, which then does. */

const test = useTestApp()
let url: string
let key: string

beforeAll(async () => {
  url = await test().app.listen()
  key = (await makeUserWithAgent(test())).key
})

const open = () => connectHttp({ url, key, query: '?tools=core,full' })

/** The call that a text names last, as a host would make it. */
function callIn(text: string): [string, Record<string, unknown>] {
  const [, name = '', args = ''] = [...text.matchAll(/(?:Next|match): (\w+)\((.*)\)$/gm)].at(-1) ?? []
  const fields = [...args.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\d+|true|false)/g)]
  return [name, Object.fromEntries(fields.map(([, field = '', value = '']) => [field, JSON.parse(value) as unknown]))]
}

describe('a long answer', () => {
  it('lists as many as fit, and the next call goes on where it ended', async () => {
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

  it('clips one item, says at which character, and goes on from there', async () => {
    const { say } = await open()
    const content = Array.from({ length: 6_000 }, (_, at) => `word${at}`).join(' ')
    const id = idIn(await say('save_note', { title: 'Long', content }), 'n')
    const other = idIn(await say('save_note', { title: 'Also long', content }), 'n')
    const both = await say('read_items', { ids: [id, other] })
    expect(both.length).toBeLessThanOrEqual(16_000)
    expect(both).toContain(`${id} is clipped: characters 0 to 8000 of ${content.length}.`)
    let read = ''
    let [tool, args]: [string, Record<string, unknown>] = ['read_items', { ids: [id] }]
    for (let page = 0; page < 9 && tool !== ''; page++) {
      const text = await say(tool, args)
      expect(text.length).toBeLessThanOrEqual(16_000)
      read += /<holdfast-item [^>]*>\n([^]*?)…?\n<\/holdfast-item>/.exec(text)?.[1] ?? ''
      ;[tool, args] = callIn(text)
    }
    expect(read).toBe(content)
    const whole = await say('read_items', { ids: [id], maxChars: 100_000 })
    expect(whole).toContain('word5999')
  })

  it('of a search offers a wider one, and whole items', async () => {
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

  it('of a session fits where it is told to', async () => {
    const { say } = await open()
    for (const maxChars of [3_200, 6_000]) {
      const text = await say('session_start', { mode: 'deep', maxChars })
      expect(text.length).toBeLessThanOrEqual(maxChars)
      expect(text).toContain('left out for lack of room:')
      expect(text).toMatch(/<\/holdfast-recall>/)
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
    ['read_items', { ids: ['abc'] }, 'ids: must be an id as answers show it'],
    ['save_task', { description: 'x' }, 'title: required to make a task'],
    ['save_note', { content: 'x' }, 'title: required to make a note'],
    ['explore_graph', {}, 'id: required, or query'],
    ['write_memory', { content: 'x', expiresAt: 'tomorrow' }, 'expiresAt: must be a time in ISO 8601'],
    ['list_tasks', { vault: 'No such' }, 'no vault is called "No such"'],
  ])('of %s with %j says what to do', async (name, args, words) => {
    const { fail } = await open()
    expect(await fail(name, args)).toMatch(
      new RegExp(
        `^(VALIDATION|NOT_FOUND): .*${words.replaceAll(/\((a string)\)/g, '\\($1\\)').replaceAll('?;', '\\?;')}`,
      ),
    )
  })

  it('is taken as meant where it can be', async () => {
    const { say } = await open()
    const id = idIn(
      await say('write_memory', { content: 'Meant well.', entities: 'Ada', importance: '4', summary: null }),
      'm',
    )
    expect(await say('read_items', { memoryIds: id })).toContain('importance="4"')
    expect(await say('update_memory', { memoryId: id.slice(2), importance: '2' })).toContain('version 2')
    expect(await say('list_tasks', { status: 'In Progress', topK: '5' })).toContain('vault: Main')
    expect(await say('search_memories', { query: 'meant', memoryTypes: '["fact"]' })).toContain(id)
  })
})
