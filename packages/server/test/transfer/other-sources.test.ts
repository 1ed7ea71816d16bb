import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import type { ImportReport } from '@holdfast/transfer/run-import'
import type { RecordOf } from '../../src/transfer/record.ts'
import { everythingIn, fileWith, importPath, makeFolder, type Holder } from './passing.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const test = useTestApp()

const makeHolder = async (): Promise<Holder> => ({ test: test(), ...(await makeUserWithAgent(test())) })

const contentIn = async (holder: Holder) => {
  const { note, memory, link } = await everythingIn(holder)
  return {
    notes: note as RecordOf<'note'>[],
    memories: memory as RecordOf<'memory'>[],
    links: link as RecordOf<'link'>[],
  }
}

const noticesOf = ({ notices }: ImportReport) => Object.fromEntries(notices.map(({ what, count }) => [what, count]))

/** Imported twice: the second time nothing is new. */
async function importTwice(holder: Holder, path: string): Promise<ImportReport> {
  const report = await importPath(holder, path)
  const again = await importPath(holder, path)
  expect(Object.values(again.counts).map(({ created, failed }) => created + failed)).toEqual(
    Object.values(again.counts).map(() => 0),
  )
  return report
}

describe('memories of mem0', () => {
  it('become facts with their dates, owners and categories', async () => {
    const holder = await makeHolder()
    const report = await importTwice(holder, join(fixtures, 'mem0.json'))
    expect(report).toMatchObject({ source: 'mem0', counts: { memory: { created: 2 } } })
    expect(noticesOf(report)).toEqual({ 'entries without text, skipped': 1 })
    expect((await contentIn(holder)).memories).toMatchObject([
      {
        content: 'Likes green tea',
        entities: ['food', 'preferences'],
        metadata: { user_id: 'ada', source: 'chat' },
        createdAt: '2025-01-02T11:04:05.678Z',
        updatedAt: '2025-02-02T03:04:05.000Z',
      },
      { content: 'Works nights', metadata: { run_id: 'r1' }, createdAt: '2025-01-03T00:00:00.000Z' },
    ])
  })

  it('are also read from a plain list and from Markdown', async () => {
    const holder = await makeHolder()
    expect(await importTwice(holder, join(fixtures, 'mem0-list.json'))).toMatchObject({
      counts: { memory: { created: 1 } },
    })
    expect(await importTwice(holder, join(fixtures, 'mem0-markdown'))).toMatchObject({ source: 'mem0' })
    expect((await contentIn(holder)).memories[1]).toMatchObject({
      content: 'Likes green tea',
      entities: ['food'],
      metadata: { user_id: 'ada' },
    })
  })
})

describe('a basic-memory project', () => {
  it('becomes notes, a memory for each observation, and links with the names of relations', async () => {
    const holder = await makeHolder()
    const report = await importTwice(holder, join(fixtures, 'basic-memory'))
    expect(report).toMatchObject({ source: 'basic-memory', counts: { note: { created: 2 }, memory: { created: 2 } } })
    expect(noticesOf(report)).toMatchObject({ 'relations to missing notes': 1 })
    const { notes, memories, links } = await contentIn(holder)
    const [index, search] = notes.toSorted((one, other) => (one.title < other.title ? -1 : 1))
    expect(search).toMatchObject({ title: 'Search design', tags: ['search', 'ranking'], folderPath: 'specs' })
    expect(memories).toMatchObject([
      {
        content: 'Use two legs #ranking',
        memoryType: 'fact',
        entities: ['Search design'],
        metadata: {
          category: 'decision',
          permalink: 'specs/search-design',
          tags: ['ranking'],
          context: 'after the review',
        },
        sourceNoteIds: [search?.id],
      },
      { content: 'Prefer small indexes', memoryType: 'preference' },
    ])
    const said = links.map(({ source, relationType, label, target }) => [source, relationType, label, target])
    expect(said).toHaveLength(4)
    expect(said).toEqual(
      expect.arrayContaining([
        [search?.id, 'wiki_link', undefined, index?.id],
        [search?.id, 'references', 'implements', index?.id],
        [memories[0]?.id, 'derived_from', undefined, search?.id],
        [memories[1]?.id, 'derived_from', undefined, search?.id],
      ]),
    )
  })
})

describe('conversations of ChatGPT', () => {
  it('become notes with the branch that was shown, without hidden messages', async () => {
    const holder = await makeHolder()
    const path = await fileWith('conversations.json', await readFile(join(fixtures, 'conversations-chatgpt.json')))
    const report = await importTwice(holder, path)
    expect(report).toMatchObject({ source: 'chatgpt', counts: { note: { created: 2 } } })
    expect(noticesOf(report)).toEqual({
      'empty conversations, skipped': 1,
      'entries without `mapping`, skipped': 1,
    })
    expect((await contentIn(holder)).notes).toMatchObject([
      {
        title: 'Tabs',
        content: '## You\n\n[image asset pointer]\n\nWhat is in the picture?\n\n## ChatGPT\n\nTabs it is.\n',
        folderPath: 'ChatGPT',
        createdAt: '2023-11-14T22:13:20.500Z',
        updatedAt: '2023-11-14T22:15:00.000Z',
      },
      {
        title: 'Untitled conversation',
        content: '## You\n\nFirst\n\n## ChatGPT\n\nSecond\n',
        createdAt: '2020-09-13T12:26:40.000Z',
      },
    ])
  })
})

describe('conversations of Claude', () => {
  it('become notes with their messages, from blocks or from texts', async () => {
    const holder = await makeHolder()
    const path = await fileWith('conversations.json', await readFile(join(fixtures, 'conversations-claude.json')))
    const report = await importTwice(holder, path)
    expect(report).toMatchObject({ source: 'claude', counts: { note: { created: 2 } } })
    expect(noticesOf(report)).toEqual({ 'empty conversations, skipped': 1 })
    expect((await contentIn(holder)).notes).toMatchObject([
      {
        title: 'Deploys',
        content: '## You\n\nHow do I deploy?\n\n[notes.txt]\n\n## Claude\n\nBack up first.\n\nThen push.\n',
        createdAt: '2025-05-01T10:00:00.123Z',
      },
      { title: 'Untitled conversation', content: '## You\n\nOld format\n' },
    ])
  })

  it('report when nothing was found', async () => {
    const holder = await makeHolder()
    const path = await fileWith('conversations.json', '[{"uuid":"x","name":"y","messages":[]}]')
    for (const source of ['claude', 'chatgpt'])
      await expect(importPath(holder, path, { source })).rejects.toThrow(/Nothing to import[^]*without/)
  })
})

describe('rules of a project', () => {
  it('become constraints, or skills if they describe how to do something', async () => {
    const holder = await makeHolder()
    expect(await importTwice(holder, join(fixtures, 'agents'))).toMatchObject({ source: 'agents-md' })
    expect((await contentIn(holder)).memories.map(({ memoryType, content }) => [memoryType, content])).toEqual([
      ['constraint', 'Prefer small functions.'],
      ['constraint', 'Project: Use TypeScript.'],
      ['constraint', 'Project > Rules: - Never commit keys.'],
      ['constraint', 'Project > Rules > Naming: Verbs first.'],
      ['skill', 'Project > Build commands: ```sh\n# not a heading\nnpm test\n```'],
    ])
  })
})

describe('rules of a project as a document', () => {
  it('become its instructions: one file unchanged, several with the name of each', async () => {
    const one = await makeHolder()
    const folder = await makeFolder()
    await cp(join(fixtures, 'agents/AGENTS.md'), join(folder, 'AGENTS.md'))
    const dry = await importPath(one, folder, { asDocument: true, dryRun: true })
    expect(dry).toMatchObject({ source: 'agents-md', counts: { document: { created: 1 } } })
    expect((await importPath(one, folder, { asDocument: true })).counts).toEqual({
      document: { created: 1, restored: 0, existing: 0, left: 0, failed: 0 },
    })
    const rules = (await readFile(join(folder, 'AGENTS.md'), 'utf8')).trim()
    const instructionsOf = async (holder: Holder) => (await everythingIn(holder)).document
    expect(await instructionsOf(one)).toMatchObject([{ documentType: 'instructions', content: rules }])
    expect((await everythingIn(one)).memory).toEqual([])

    await writeFile(join(folder, 'CLAUDE.md'), '---\nmodel: any\n---\nAsk before you push.\n')
    await writeFile(join(folder, 'GEMINI.md'), `${rules}\n`)
    for (const dryRun of [true, false])
      expect((await importPath(one, folder, { asDocument: true, dryRun })).counts.document).toMatchObject({
        created: 0,
        existing: 1,
      })
    expect(await instructionsOf(one)).toMatchObject([{ content: rules }])
    const several = await makeHolder()
    await importPath(several, folder, { asDocument: true })
    expect(await instructionsOf(several)).toMatchObject([
      { content: `<!-- AGENTS.md -->\n\n${rules}\n\n<!-- CLAUDE.md -->\n\nAsk before you push.` },
    ])
  })

  it('are imported if the vault has rules for its instructions and no text, and keep the rules', async () => {
    const holder = await makeHolder()
    const edit = (name: string, change: object) =>
      test().call(
        name,
        { vaultId: holder.vaultId, documentType: 'instructions', ...change },
        { key: holder.dashboardToken },
      )
    await edit('update-document-rules', { agentEditable: true })
    const file = await fileWith('AGENTS.md', 'Ask before you push.')
    for (const dryRun of [true, false])
      expect((await importPath(holder, file, { asDocument: true, dryRun })).counts.document).toMatchObject({
        created: 1,
        existing: 0,
      })
    expect((await everythingIn(holder)).document).toMatchObject([
      { content: 'Ask before you push.', agentEditable: true, version: 2 },
    ])
    await edit('update-document', { content: '' })
    expect((await importPath(holder, file, { asDocument: true })).counts.document).toMatchObject({ created: 1 })
  })

  it('are rejected if they are longer than a document can be, and import nothing if there are none', async () => {
    const holder = await makeHolder()
    const long = await importPath(holder, await fileWith('AGENTS.md', 'x'.repeat(100_001)), { asDocument: true })
    expect(long).toMatchObject({ counts: { document: { failed: 1 } }, problems: [{ name: 'instructions' }] })
    const empty = importPath(holder, await fileWith('AGENTS.md', '\n'), { asDocument: true })
    await expect(empty).rejects.toThrow('Nothing to import was found')
  })
})

describe('a Notion export', () => {
  it('becomes notes without ids in their names, with working links, and tables', async () => {
    const holder = await makeHolder()
    // In a separate folder, as extracted from the zip.
    const folder = await makeFolder()
    await cp(join(fixtures, 'notion'), folder, { recursive: true })
    const report = await importTwice(holder, folder)
    expect(report).toMatchObject({ source: 'notion', counts: { note: { created: 3 } } })
    expect(noticesOf(report)).toEqual({ 'attachments and other files, not imported (.png)': 1 })
    const { notes, links } = await contentIn(holder)
    const byTitle = new Map(notes.map((note) => [note.title, note]))
    expect([...byTitle.keys()].toSorted()).toEqual(['Home: start', 'Plans', 'Tasks'])
    expect(byTitle.get('Home: start')?.content).toBe('Go to [[Plans]] and [[Tasks|the table]].\n')
    expect(byTitle.get('Plans')).toMatchObject({ content: 'Back to [[Home: start|Home]].\n', folderPath: 'Home' })
    expect(byTitle.get('Tasks')?.content).toBe(
      '| Name | State |\n| --- | --- |\n| Feed, the cat | done |\n| Two<br>lines | a\\|b |',
    )
    expect(links).toHaveLength(3)
  })
})
