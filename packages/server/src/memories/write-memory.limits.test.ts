import { hasHidden } from '@holdfast/transfer/text/hidden-characters'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { startAgent } from '../../test/scenarios.ts'
import { imitatesReservedName } from '../core/reserved-names.ts'
import { newId } from '../core/ids.ts'

describe('write-memory', () => {
  const test = useTestApp()

  it('accepts and returns the longest content, even if every character is escaped', async () => {
    const agent = await startAgent(test())
    const content = '\u0001'.repeat(100_000)
    const raw = JSON.stringify({ content })
    expect(raw.length).toBeGreaterThan(600_000)
    const { status, body } = await agent.call('write-memory', undefined, { raw })
    expect(status).toBe(201)
    expect((await agent.read(String(body.memoryId))).content).toBe(content)
  })

  it('counts lengths in UTF-16 units', async () => {
    const agent = await startAgent(test())
    await agent.write('𝄞'.repeat(50_000))
    const { status, body } = await agent.call('write-memory', { content: `${'𝄞'.repeat(50_000)}x` })
    expect([status, Object.keys(body.fields as object)]).toEqual([400, ['content']])
  })

  it('accepts metadata up to its limit as JSON', async () => {
    const agent = await startAgent(test())
    const metadata = (characters: number) => ({ a: 'x'.repeat(characters - '{"a":""}'.length) })
    await agent.write({ content: 'x', metadata: metadata(65_536) })
    const { status, body } = await agent.call('write-memory', { content: 'x', metadata: metadata(65_537) })
    expect([status, body.fields]).toEqual([400, { metadata: 'at most 65536 characters as JSON' }])
  })

  it('stores unusual metadata keys safely', async () => {
    const agent = await startAgent(test())
    const raw = '{"content":"x","metadata":{"constructor":{"prototype":{"a":1}},"toString":"t"}}'
    const { body } = await agent.call('write-memory', undefined, { raw })
    const { metadata } = await agent.read(String(body.memoryId))
    expect(metadata).toMatchObject({ constructor: { prototype: { a: 1 } }, toString: 't' })
  })

  it('refuses a memory without words, wherever it is written', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('violets')
    const unseen = ['\u200b', '\u200b \u2060\ufeff\n\u00ad', '\u202e\u2066\u2069', '\u3164\u2800', '\ufe0f']
    for (const content of [' ', '\n\t \u00a0', ...unseen, '\u{e0041}\u{e0042}']) {
      const answers = [
        await agent.call('write-memory', { content }),
        await agent.call('update-memory', { memoryId, content }),
      ]
      for (const { status, body } of answers)
        expect([status, body.fields]).toEqual([400, { content: 'must not be blank' }])
      const saved = await agent.call('context-checkpoint', { memories: [{ content }], sessionSummary: 'Of violets.' })
      expect(saved.body).toMatchObject({ failed: 1, results: [{ status: 'failed' }] })
    }
    // What joins or shapes visible characters is a part of them.
    for (const content of ['👩‍💻', '❤️', '1️⃣', 'می‌خواهم', 'क्‍ष', '\u200bv', '؀'])
      expect(await agent.read(await agent.write(content))).toMatchObject({ content })
    // Beginning and end are kept as they are.
    expect(await agent.read(await agent.write(' violets\n'))).toMatchObject({ content: ' violets\n' })
  })

  it('refuses the metadata key __proto__ at any depth, which would be lost', async () => {
    const agent = await startAgent(test())
    const id = await agent.write('violets')
    for (const metadata of ['{"__proto__":{"polluted":1}}', '{"a":[{"__proto__":1}]}'])
      for (const [name, rest] of [
        ['write-memory', '"content":"x"'],
        ['update-memory', `"memoryId":"${id}"`],
        ['create-task', '"title":"x"'],
        ['session-track', '"event":"start","agentRunId":"one"'],
      ] as const) {
        const { status, body } = await agent.call(name, undefined, { raw: `{${rest},"metadata":${metadata}}` })
        expect([name, status, body.fields]).toEqual([name, 400, { metadata: 'must not contain the key __proto__' }])
      }
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('lists every problem of a request at once', async () => {
    const agent = await startAgent(test())
    const { status, body } = await agent.call('write-memory', {
      memoryType: 'thought',
      importance: 9,
      entities: ['ok', ''],
      relatedMemoryIds: [{ memoryId: newId(), relationType: 'knows' }],
    })
    expect(status).toBe(400)
    expect(Object.keys(body.fields as object).toSorted()).toEqual([
      'content',
      'entities.1',
      'importance',
      'memoryType',
      'relatedMemoryIds.0.relationType',
    ])
    expect(body.error).toBe('Validation failed: content: required (string)')
    expect(body.fields).toMatchObject({
      memoryType: expect.stringContaining('preference'),
      'relatedMemoryIds.0.relationType': expect.stringContaining('contradicts'),
    })
  })

  it('accepts null for an optional field of a related memory', async () => {
    const agent = await startAgent(test())
    const known = await agent.write('known')
    const related = [{ memoryId: known, relationType: null, label: null }]
    const id = await agent.write({ content: 'x', relatedMemoryIds: related })
    expect((await agent.read(id)).relatedMemories).toEqual([{ memoryId: known, relationType: 'references' }])
  })

  it('rejects a run id in the header that it would reject in the body', async () => {
    const agent = await startAgent(test())
    const headers = { 'x-agent-run-id': 'x'.repeat(201) }
    const { status, body } = await agent.call('write-memory', { content: 'x' }, { headers })
    expect([status, Object.keys(body.fields as object)]).toEqual([400, ['X-Agent-Run-Id']])
  })
})

const naughtyStrings = join(import.meta.dirname, '../../../../../shared/data/hostile/blns.json')

describe.skipIf(!existsSync(naughtyStrings))('strings that break naive software', () => {
  const test = useTestApp()

  it('are returned unchanged, in every field that accepts text', async () => {
    const agent = await startAgent(test())
    const strings = (JSON.parse(readFileSync(naughtyStrings, 'utf8')) as string[]).filter((text) => text !== '')
    expect(strings.length).toBeGreaterThan(400)
    const memoryOf = (text: string) => {
      const short = text.slice(0, 200)
      // Names of agents are rejected if they contain control or hidden characters, or show nothing.
      const agentId = short.replaceAll(/\p{Cc}/gu, '')
      const names = {
        agentId: imitatesReservedName(agentId) || hasHidden(agentId) ? 'x' : agentId,
        modelId: short,
        agentRunId: short,
        entities: [short],
      }
      // A memory needs words.
      const content = text.trim() === '' ? `x${text}` : text
      return { content, summary: text, writeReason: text, metadata: { [text]: text }, ...names }
    }
    const ids = await Promise.all(strings.map((text) => agent.write(memoryOf(text))))
    for (let at = 0; at < ids.length; at += 50) {
      const { body } = await agent.call('read-memories', { memoryIds: ids.slice(at, at + 50) })
      const expected = strings.slice(at, at + 50).map((text) => expect.objectContaining(memoryOf(text)))
      expect(body.memories).toEqual(expected)
    }
  })
})
