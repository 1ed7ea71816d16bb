import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { notion } from '@holdfast/transfer/sources/notion'
import { detectReader } from '@holdfast/transfer/sources/readers'
import { Notices } from '@holdfast/transfer/sources/reading'
import { writeServerMemory } from '@holdfast/transfer/write-server-memory'
import type { TransferRecord } from '@holdfast/transfer/record'
import { openSource } from '../../src/transfer/open-source.ts'
import { arrayOf, makeFolder } from './passing.ts'

const fixtures = join(import.meta.dirname, 'fixtures')

async function read(files: Record<string, string>) {
  const folder = await makeFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const source = await openSource(folder, async () => '')
  const notices = new Notices()
  const reader = await detectReader(source)
  return { reader: reader.name, records: await arrayOf(reader.read(source, notices)), notices: notices.list() }
}

it('a knowledge graph in several files is read as a whole', async () => {
  const { reader, records } = await read({
    'a.json': '{"name":"some package"}',
    'one.jsonl': '{"type":"entity","name":"Ada","entityType":"person","observations":["Prefers tabs"]}',
    'two.jsonl': '{"type":"entity","name":"Turin","entityType":"town","observations":["Lies on the Po"]}',
    'node_modules/x/three.jsonl': '{"type":"entity","name":"Left","entityType":"pad","observations":["Pads"]}',
  })
  expect(reader).toBe('server-memory')
  expect(records).toMatchObject([{ content: 'Prefers tabs' }, { content: 'Lies on the Po' }])
})

it('the notes of packages are not imported', async () => {
  const { reader, records } = await read({ 'Mine.md': 'Mine', 'node_modules/x/README.md': 'A package' })
  expect([reader, records.length]).toEqual(['obsidian', 1])
})

it('only an invalid table of a Notion export is left out', async () => {
  const { reader, records, notices } = await read({
    'Page 0123456789abcdef0123456789abcdef.md': '# Page\n\nText',
    'Table 0123456789abcdef0123456789abcdee.csv': 'a,b\n"x,y\n',
  })
  expect(reader).toBe(notion.name)
  expect(records).toMatchObject([{ title: 'Page' }])
  expect(notices).toMatchObject([{ what: 'invalid CSV tables, not imported', count: 1 }])
})

it('every source in a folder is read, and files of no known format are counted by kind', async () => {
  const { reader, records, notices } = await read({
    'Notes/Alpha.md': 'See [[Beta]]',
    'Notes/Beta.md': 'Second',
    'Notes/pic.png': 'x',
    LICENSE: 'x',
    'att/conversations.json': await readFile(join(fixtures, 'conversations-chatgpt.json'), 'utf8'),
    'att/message_feedback.json': '[{"id":"1","user_id":"u","content":"{}"}]',
    'claude/conversations.json': await readFile(join(fixtures, 'conversations-claude.json'), 'utf8'),
    'memory.jsonl': '{"type":"entity","name":"Ada","entityType":"person","observations":["Prefers tabs"]}',
    'mem0.json': '[{"id":"1","memory":"Likes tea","user_id":"ada","metadata":{"categories":["food"]}}]',
    '.cursorrules': 'Use tabs.',
  })
  expect(reader).toBe('chatgpt, claude, server-memory, mem0, agents-md, obsidian')
  expect(records.map((record) => ('title' in record ? record.title : 'content' in record && record.content))).toEqual([
    'Tabs',
    'Untitled conversation',
    'Deploys',
    'Untitled conversation',
    'Prefers tabs',
    'Likes tea',
    'Use tabs.',
    'Alpha',
    'Beta',
  ])
  expect(Object.fromEntries(notices.map(({ what, examples }) => [what, examples]))).toMatchObject({
    'files without conversations, not imported': ['att/message_feedback.json'],
    'attachments and other files, not imported (.png)': ['Notes/pic.png'],
    'attachments and other files, not imported (no extension)': ['LICENSE'],
  })
})

it('the categories of mem0 become entities, also where its library keeps them', async () => {
  const { records } = await read({
    'a.json': '[{"id":"1","memory":"Likes tea","user_id":"ada","metadata":{"categories":["food"],"source":"chat"}}]',
  })
  expect(records).toMatchObject([{ entities: ['food'], metadata: { user_id: 'ada', source: 'chat' } }])
})

it('an entity without observations comes back from an export without any', async () => {
  const entity = { type: 'entity', name: 'Empty One', entityType: 'thing', observations: [] }
  const { records } = await read({ 'memory.jsonl': JSON.stringify(entity) })
  expect(records).toMatchObject([{ content: 'Empty One (thing)' }])
  const exportOf = async (memories: TransferRecord[]) => {
    const { bytes } = writeServerMemory({
      records: async function* (kind) {
        if (kind === 'memory') yield* memories
      },
      onProgress: () => {},
    })
    return JSON.parse(Buffer.concat(await arrayOf(bytes)).toString()) as unknown
  }
  expect(await exportOf(records)).toEqual(entity)
  const changed = records.map((record) => ({ ...record, content: 'A word about it' }) as TransferRecord)
  expect(await exportOf(changed)).toEqual({ ...entity, observations: ['A word about it'] })
})
