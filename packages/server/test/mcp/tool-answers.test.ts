import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeAgent, makeUser, type TestUser } from '../factories.ts'
import { connectHttp, idIn } from './connect.ts'

/** What tools tell an agent, in words that it can act on. */

describe('a tool', () => {
  const test = useTestApp()
  let address: Promise<string> | undefined

  async function open(query = '', label = 'Desk', owner?: TestUser) {
    const user = owner ?? (await makeUser(test()))
    const key = await makeAgent(test(), user, { label })
    return { ...(await connectHttp({ url: await (address ??= test().app.listen()), key, query })), user }
  }

  it('returns all of a task: its state, what it waits for, and its result', async () => {
    const { say } = await open()
    const made = {
      title: 'Rotate the key',
      description: 'The old one stays a week.',
      doneWhen: 'all verify',
      priority: 4,
    }
    const id = idIn(await say('save_task', made), 't')
    await say('save_task', { id, status: 'blocked', blockedReason: 'the vault is shut', comment: 'asked Ada' })
    const text = await say('read_items', { ids: [id] })
    expect(text).toContain(`id="${id}" type="task" status="blocked" priority="4"`)
    for (const part of [
      'Rotate the key',
      'The old one stays a week.',
      'Done when: all verify',
      'Blocked by Desk: the vault is shut',
    ])
      expect(text).toContain(part)
    expect(await say('list_tasks')).toContain('blocked by Desk: the vault is shut')
    expect(text).toMatch(/todo → blocked by Desk: asked Ada/)
    expect(await say('archive_memory', { id })).toContain(`archived: ${id}`)
    expect(await say('read_items', { ids: [id] })).toMatch(/status="blocked".*marks="archived"/)
  })

  it('saves a checkpoint with one invalid memory, and names what it did not understand', async () => {
    const { say } = await open()
    const text = await say('context_checkpoint', {
      sessionSummary: 'Tried the pump.',
      memories: [
        { content: 'The pump sticks in the cold.', importence: 5, entities: ['pump'] },
        { content: 'x', importance: 9 },
        { content: 'y', supersedes: 'no id' },
        { summary: 'without a content' },
        'The pump needs oil.',
      ],
    })
    expect(text).toContain('memories: 1 created, 0 already stored, 4 failed')
    expect(text).toContain('memories.0: unknown field importence was ignored; did you mean importance?')
    for (const at of [1, 2, 3, 4]) expect(text).toContain(`memories.${at} FAILED: `)
    expect(text).toMatch(/memories\.2 FAILED: .*supersedes: must be a UUID/)
  })

  it('includes existing memories in the retrospective and review prompts, whether or not words match', async () => {
    const { say, client } = await open()
    await say('context_checkpoint', { sessionSummary: 'Planted tomatoes.' })
    await say('write_memory', { content: 'Kohlrabi wants shade.', memoryType: 'skill' })
    await say('write_memory', { content: 'Never water at noon.', memoryType: 'constraint' })
    const textOf = async (name: string) => JSON.stringify((await client.getPrompt({ name })).messages)
    const back = await textOf('retrospective')
    for (const part of ['Planted tomatoes.', 'Kohlrabi wants shade.']) expect(back).toContain(part)
    const review = await textOf('review_memories')
    for (const part of ['Kohlrabi wants shade.', 'Never water at noon.']) expect(review).toContain(part)
  })

  it('says if no agent with the name was here, and replies to the sender of a message', async () => {
    const { say, fail, user } = await open()
    const cook = await open('', 'Cook', user)
    await cook.say('list_tasks')
    expect(await say('send_message', { targetId: 'cook', content: 'Any ripe?' })).toMatch(
      /^vault: Main\nsent: .*\nnote: no agent with exactly this name was active in the last 7 days\. Active agents: .*"Cook"/,
    )
    const sent = await say('send_message', { targetId: 'Cook', content: 'Any ripe?' })
    expect(sent).not.toContain('note:')
    const reply = { parentMessageId: idIn(sent, 'msg'), content: 'Two.' }
    expect(await cook.say('send_message', reply)).toContain('to Desk ')
    expect(await fail('send_message', { content: 'To whom?' })).toMatch(/^VALIDATION: targetId: required/)
    expect(await fail('ack_message', { ids: [idIn(sent, 'msg')] })).toBe(
      'NOT_FOUND: no message to this agent has this id. Call read_messages for a list.',
    )
  })

  it('sends no reply to a name that stands for the person or for all', async () => {
    const { say, user } = await open()
    const cook = await open('', 'Cook', user)
    for (const name of ['user', '*']) {
      const sent = await say('send_message', { targetId: 'Cook', content: 'Any ripe?' })
      const reply = { parentMessageId: idIn(sent, 'msg'), content: 'Two.' }
      // As stored when integrations could still have such a label.
      await test().app.services.db.write((tx) => tx.updateTable('messages').set({ fromAgentId: name }).execute())
      expect(await cook.fail('send_message', reply)).toMatch(/^VALIDATION: targetId: required, .*sender is named/)
      const labelled = await open('', name, user)
      for (const tool of ['write_memory', 'send_message'])
        expect(
          await labelled.fail(tool, { content: 'Two.', ...(tool === 'send_message' && { targetId: 'Cook' }) }),
        ).toBe(
          'VALIDATION: agentId: required, because the integration is labelled "user" or "*"; give it another label. Correct it and call again.',
        )
    }
  })

  it('appends to a note on a separate line, and returns the new version', async () => {
    const { say, fail } = await open()
    const id = idIn(await say('save_note', { title: 'Steps', content: 'Step 1: dig. [[Sand]]' }), 'n')
    await say('save_note', { id, content: 'Step 0: look.', mode: 'prepend' })
    const moved = await say('save_note', { id, content: 'Step 2: plant.', mode: 'append', folder: 'Garden' })
    expect(moved).toContain('no note yet for 1 title\n')
    const last = [...moved.matchAll(/\(version (\d+)\)/g)].at(-1)?.[1]
    const whole = await say('read_items', { ids: [id] })
    expect(whole).toContain('Step 0: look.\nStep 1: dig. [[Sand]]\nStep 2: plant.')
    expect(whole).toContain(`version="${last}"`)
    expect(await fail('write_memory', { contnt: 'x' })).toMatch(/did you mean content\?(?!\.)/)
    expect(await fail('write_memory', { content: 'x', memorytipe: 'fact' })).not.toContain('?.')
  })

  it('warns about a written secret, but not about text that only mentions one', async () => {
    const { say } = await open()
    const filler = 'aB3dE5fG7hJ9kL1m'.repeat(3)
    for (const secret of [
      `ghp_${filler}`,
      `-----BEGIN PRIVATE KEY-----\n${filler}`,
      `sk-${filler}`,
      ['AK', 'IA', 'ABCDEFGH23456789'].join(''),
    ])
      for (const before of ['The key is ', 'The key:\n', 'The key\t'])
        expect(await say('write_memory', { content: `${before}${secret}` })).toMatch(
          /\nwarning: this seems to contain a/,
        )
    expect(await say('save_note', { title: 'Keys', content: `svc_${filler}` })).toContain('warning: ')
    const memories = [{ content: 'The cellar is dry.', entities: ['Cellar', `sk-${filler}`] }]
    expect(await say('context_checkpoint', { sessionSummary: 'Looked.', memories })).toContain('warning: ')
    const harmless = 'The token of CI lies in the vault; keys begin with ghp_ or sk-.'
    expect(await say('write_memory', { content: harmless })).not.toContain('warning: ')
  })

  it('shows what a cleanup would archive, and how to do that', async () => {
    const { say, fail } = await open()
    await say('write_memory', { content: 'The hose is green.', importance: 1 })
    const filters = { maxImportance: 1 }
    const dry = await say('cleanup_memories', filters)
    expect(dry).toContain('The hose is green.')
    expect(dry).not.toContain('dryRun false')
    const confirm = /confirm="([^"]+)"/.exec(dry)?.[1]
    expect(await fail('cleanup_memories', { ...filters, dryRun: false })).toMatch(/^CONFIRM/)
    expect(await say('cleanup_memories', { ...filters, dryRun: false, confirm })).toContain('archived 1 memories')
  })

  it('finds no more notes than requested, and shows links without remarks as such', async () => {
    const { say } = await open()
    for (const at of [1, 2, 3])
      await say('save_note', { title: `Pump ${at}`, content: `The pump of well ${at}. [[Pump 1]]` })
    await say('write_memory', { content: 'The pump sticks.' })
    expect(await say('search_memories', { query: 'pump', limit: 1 })).toContain('found: 1 memory, 1 note')
    expect(await say('explore_graph', { query: 'pump of well' })).toMatch(/^- \d wiki_link \d$/m)
  })

  it('starts a session with as much as fits', async () => {
    const { say } = await open()
    for (let at = 0; at < 10; at++)
      await say('write_memory', { content: `Bed ${at} has heavy soil and wants a lot of sand before the first frost.` })
    const text = await say('session_start', { maxChars: 6_000 })
    expect(text.match(/- \[fact m:/g)).toHaveLength(10)
    expect(text).not.toMatch(/left out/i)
  })
})
