import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { describe, expect, it } from 'vitest'
import { startAnsweringServer } from '../test/answering-server.ts'
import { makeAgent, makeUser } from '../../server/test/factories.ts'
import { useService } from '../test/service.ts'
import { memoryToolHandlers } from './anthropic.ts'
import { Call, createClient } from './index.ts'

describe("the handlers of Claude's memory tool", () => {
  const service = useService()

  const open = async (options?: { folder?: string }) => {
    const client = await service().makeClient()
    const tool = betaMemoryTool(memoryToolHandlers(client, options))
    // The tool's runner calls it like this.
    const run = async (command: object) => (await tool.run(command as Parameters<typeof tool.run>[0])) as string
    return { client, run }
  }

  const path = '/memories/garden/beds.md'
  const create = (text = 'Tomatoes\nBeans\nPeas', at = path) => ({ command: 'create', path: at, file_text: text })
  const view = (at: string, range?: number[]) => ({ command: 'view', path: at, ...(range && { view_range: range }) })
  const content = (text: string) => text.split('\n').slice(1).join('\n')

  it('store a file as a note in a folder', async () => {
    const { client, run } = await open({ folder: 'agents/claude' })
    expect(await run(create())).toBe(`File created successfully at: ${path}`)
    expect(await run(view(path))).toBe(
      `Here's the content of ${path} with line numbers:\n     1\tTomatoes\n     2\tBeans\n     3\tPeas`,
    )
    const { notes } = await client.notes.list()
    expect(notes).toMatchObject([{ title: 'beds.md', folderPath: 'agents/claude/garden' }])
    const found = await client.notes.search({ query: 'beans' })
    expect(found.notes).toMatchObject([{ title: 'beds.md' }])
  })

  it('tell the model if the person decides about a change of their note', async () => {
    const { test, url } = service()
    const user = await makeUser(test)
    const key = await makeAgent(test, user, { writePolicy: { persons: 'ask', agents: 'yes' } })
    const tool = betaMemoryTool(memoryToolHandlers(createClient({ url, key }), { folder: 'garden' }))
    const note = { vaultId: user.vaultId, title: 'beds.md', content: 'Tomatoes', folderPath: 'garden' }
    await test.call('create-note', note, { key: user.dashboardToken })
    const at = '/memories/beds.md'
    const changes = [
      { command: 'str_replace', path: at, old_str: 'Tomatoes', new_str: 'Beans' },
      { command: 'delete', path: at },
    ] as const
    for (const change of changes) await expect(tool.run(change)).rejects.toThrow('your change is now a proposal')
    expect(await tool.run({ command: 'view', path: at })).toContain('Tomatoes')
  })

  it('show lines of a file and two levels of a directory', async () => {
    const { run } = await open()
    expect(await run(view('/memories'))).toContain('2 levels deep in /memories')
    for (const at of ['/memories/a.md', path, '/memories/garden/old/2025.md', '/memories/garden/old/deep/2024.md'])
      await run(create('one two', at))
    expect(content(await run(view(path, [1, 1])))).toBe('     1\tone two')
    await run(create('x'.repeat(1536), '/memories/garden/.hidden/a.md'))
    await run(create('x'.repeat(1536), '/memories/node_modules/a.md'))
    await run(create('äöü'.repeat(256), '/memories/z.md'))
    expect(content(await run(view('/memories')))).toBe(
      [
        '1.5K\t/memories',
        '7B\t/memories/a.md',
        '21B\t/memories/garden/',
        '7B\t/memories/garden/beds.md',
        '14B\t/memories/garden/old/',
        '1.5K\t/memories/z.md',
      ].join('\n'),
    )
    expect(content(await run(view('/memories/garden/')))).toContain('7B\t/memories/garden/old/2025.md')
    expect(content(await run(view('/memories/garden/.hidden')))).toContain('1.5K\t/memories/garden/.hidden/a.md')
    await run(create('a\nb\nc', '/memories/lines.md'))
    expect(content(await run(view('/memories/lines.md', [2, -1])))).toBe('     2\tb\n     3\tc')
  })

  it('replace a text that occurs once, across lines, and insert replacement patterns literally', async () => {
    const { run } = await open()
    await run(create('Tomatoes\nBeans\nPeas'))
    const replace = (old: string, fresh: string) => run({ command: 'str_replace', path, old_str: old, new_str: fresh })
    expect(await replace('toes\nBeans', 'toes $& and\nbeans')).toContain(
      '     1\tTomatoes $& and\n     2\tbeans\n     3\tPeas',
    )
    await expect(replace('e', 'x')).rejects.toThrow('Multiple occurrences of old_str `e` in lines: 1, 2, 3.')
    await expect(replace('Carrots', 'x')).rejects.toThrow('old_str `Carrots` did not appear verbatim')
    await expect(replace('', 'x')).rejects.toThrow('did not appear verbatim')
    expect(content(await run(view(path)))).toBe('     1\tTomatoes $& and\n     2\tbeans\n     3\tPeas')
  })

  it('insert lines at the given position', async () => {
    const { run } = await open()
    await run(create(''))
    const insert = (line: number, text: string) =>
      run({ command: 'insert', path, insert_line: line, insert_text: text })
    await insert(0, 'b\n')
    await insert(0, 'a')
    await insert(2, 'c\nd')
    expect(content(await run(view(path)))).toBe('     1\ta\n     2\tb\n     3\tc\n     4\td')
    await expect(insert(5, 'x')).rejects.toThrow('range of lines of the file: [0, 4]')
    await expect(
      run({ command: 'insert', path: '/memories/garden', insert_line: 0, insert_text: 'x' }),
    ).rejects.toThrow('The path /memories/garden is not a file.')
  })

  it('rename files and directories, and move deleted ones to the trash', async () => {
    const { client, run } = await open()
    await run(create())
    await run(create('old', '/memories/garden/old/2025.md'))
    const rename = (from: string, to: string) => run({ command: 'rename', old_path: from, new_path: to })
    await rename(path, '/memories/rows.txt')
    await rename('/memories/garden', '/memories/yard/back')
    expect(content(await run(view('/memories/yard')))).toBe(
      '3B\t/memories/yard\n3B\t/memories/yard/back/\n3B\t/memories/yard/back/old/',
    )
    expect(content(await run(view('/memories/rows.txt', [1, 1])))).toBe('     1\tTomatoes')
    await expect(run(view('/memories/garden'))).rejects.toThrow('does not exist')
    await expect(rename('/memories/yard', '/memories/yard/in')).rejects.toThrow('which is inside it')
    await expect(rename('/memories/yard', '/memories/rows.txt')).rejects.toThrow('already exists')
    await run({ command: 'delete', path: '/memories/yard' })
    await run({ command: 'delete', path: '/memories/rows.txt' })
    expect((await client.notes.list()).notes).toEqual([])
    expect((await client.notes.list({ includeTrashed: true })).total).toBe(2)
    await expect(run({ command: 'delete', path: '/memories' })).rejects.toThrow('itself')
  })

  it('never overwrite a file by mistake', async () => {
    const { run } = await open()
    await run(create())
    await expect(run(create('other'))).rejects.toThrow('already exists')
    await expect(run(create('other', '/memories/garden'))).rejects.toThrow('already exists')
  })

  it('create a file only once if several try at the same time, even after it was deleted or renamed', async () => {
    const { client, run } = await open()
    const race = async () => {
      const raced = await Promise.allSettled(['a', 'b', 'c'].map((text) => run(create(text))))
      expect(raced.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
      const won = raced.findIndex(({ status }) => status === 'fulfilled')
      expect(content(await run(view(path)))).toBe(`     1\t${'abc'[won]}`)
    }
    await race()
    await run({ command: 'delete', path })
    await expect(run(view(path))).rejects.toThrow('does not exist')
    await race()
    await run({ command: 'rename', old_path: path, new_path: '/memories/old.md' })
    await race()
    expect((await client.notes.list()).total).toBe(2)
    expect((await client.notes.list({ includeTrashed: true })).total).toBe(3)
  })

  it('show one of several notes with the same path, and delete all of them', async () => {
    const { client, run } = await open()
    await run(create('one', '/memories/a.md'))
    await client.notes.create({ title: 'a.md', content: 'one two', folderPath: 'memories' })
    expect(content(await run(view('/memories')))).toMatch(/^\d+B\t\/memories\n7B\t\/memories\/a.md$/)
    expect(content(await run(view('/memories/a.md')))).toBe('     1\tone two')
    await run({ command: 'delete', path: '/memories/a.md' })
    expect((await client.notes.list()).total).toBe(0)
  })

  it('reject a file as a directory', async () => {
    const { run } = await open()
    await run(create())
    const inner = `${path}/deep/inner`
    await expect(run(create('x', inner))).rejects.toThrow(`${path} is a file, not a directory.`)
    await run(create('x', '/memories/b.md'))
    const rename = run({ command: 'rename', old_path: '/memories/b.md', new_path: inner })
    await expect(rename).rejects.toThrow(`${path} is a file, not a directory.`)
  })

  it.each(['cl/', '/cl', ' cl // deep '])('normalize the folder %j like the server', async (folder) => {
    const { run } = await open({ folder })
    await run(create('hi', '/memories/a/b.md'))
    expect(content(await run(view('/memories')))).toBe('2B\t/memories\n2B\t/memories/a/\n2B\t/memories/a/b.md')
    expect(content(await run(view('/memories/a')))).toBe('2B\t/memories/a\n2B\t/memories/a/b.md')
  })

  it.each(['', '/', ' / '])('reject the folder %j', async (folder) => {
    await expect(open({ folder })).rejects.toThrow('folder: must not be empty')
  })

  it('list a directory under the requested name if only the case differs', async () => {
    const { run } = await open()
    await run(create('hi', '/memories/A/b.md'))
    await expect(run(create('ho', '/memories/a/b.md'))).rejects.toThrow('already exists')
    expect(content(await run(view('/memories/a')))).toBe('2B\t/memories/a\n2B\t/memories/a/b.md')
    expect(content(await run(view('/memories')))).toBe('2B\t/memories\n2B\t/memories/A/\n2B\t/memories/A/b.md')
    await run({ command: 'rename', old_path: '/memories/a', new_path: '/memories/c' })
    expect(content(await run(view('/memories')))).toContain('2B\t/memories/c/b.md')
  })

  it('do not overwrite a change by someone else', async () => {
    const { client, run } = await open()
    await run(create())
    const raced = async (noteId: string) => {
      const answer = await client.notes.read({ noteId }).withResponse()
      await client.notes.update({ noteId, content: '\nMine', mode: 'append' })
      return answer
    }
    const racing = {
      ...client,
      notes: { ...client.notes, read: ({ noteId }: { noteId: string }) => new Call(raced(noteId)) },
    }
    const slow = memoryToolHandlers(racing)
    const edit = slow.str_replace({ command: 'str_replace', path, old_str: 'Beans', new_str: 'Leek' })
    await expect(edit).rejects.toThrow('has changed')
    expect(content(await run(view(path)))).toBe('     1\tTomatoes\n     2\tBeans\n     3\tPeas\n     4\tMine')
  })

  it.each([
    '/etc/passwd',
    '/memories/../etc/passwd',
    '/memories/a/../../b',
    '/memories/..',
    '/memoriesX/a',
    'memories/a',
    '/memories//a',
    '/memories/./a',
    String.raw`/memories/..\..\a`,
    '/memories/%2e%2e/a',
    '/memories/a%2Fb',
    '/memories/a\u0000b',
    '/memories/ ',
    '/memories/ /a',
    '/memories/a /b',
    '/memories/\u00a0a',
    '',
  ])('refuse the path %j', async (bad) => {
    const { client, run } = await open()
    const commands = [
      view(bad),
      create('x', bad),
      { command: 'str_replace', path: bad, old_str: 'a', new_str: 'b' },
      { command: 'insert', path: bad, insert_line: 0, insert_text: 'a' },
      { command: 'delete', path: bad },
      { command: 'rename', old_path: bad, new_path: path },
      { command: 'rename', old_path: path, new_path: bad },
    ]
    for (const command of commands)
      await expect(Promise.resolve().then(() => run(command))).rejects.toThrow('Path must be in /memories')
    expect((await client.notes.list({ includeTrashed: true })).total).toBe(0)
  })

  it("work in Anthropic's own loop of tool calls", async () => {
    const message = (blocks: object[], stop_reason: string) => ({
      status: 200,
      body: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: blocks,
        stop_reason,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
      headers: { 'Content-Type': 'application/json' },
    })
    const use = (id: string, input: object) => message([{ type: 'tool_use', id, name: 'memory', input }], 'tool_use')
    await using model = await startAnsweringServer(
      use('t1', create('Water at dawn.', '/memories/water.md')),
      use('t2', view('/memories/water.md')),
      use('t3', view('/memories/../water.md')),
      message([{ type: 'text', text: 'Noted.' }], 'end_turn'),
    )
    const client = await service().makeClient()
    const anthropic = new Anthropic({ apiKey: 'none', baseURL: model.url })
    const last = await anthropic.beta.messages.toolRunner({
      model: 'claude-test',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Remember: water at dawn.' }],
      tools: [betaMemoryTool(memoryToolHandlers(client))],
    })
    expect(last.content).toMatchObject([{ type: 'text', text: 'Noted.' }])
    const results = model.received.slice(1).map(({ body }) => {
      const { messages } = JSON.parse(body) as { messages: { content: object[] }[] }
      return messages.at(-1)?.content[0]
    })
    expect(results).toMatchObject([
      { type: 'tool_result', tool_use_id: 't1', content: 'File created successfully at: /memories/water.md' },
      { type: 'tool_result', content: expect.stringContaining('1\tWater at dawn.') as string },
      { type: 'tool_result', is_error: true, content: expect.stringContaining('Path must be in') as string },
    ])
    expect((await client.memories.search({ query: 'dawn' })).memories).toEqual([])
    expect((await client.notes.search({ query: 'dawn' })).notes).toMatchObject([{ title: 'water.md' }])
  })
})
