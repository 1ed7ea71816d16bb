import { cp, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import type { RecordOf } from '../../src/transfer/record.ts'
import { everythingIn, fileWith, importPath, makeFolder, type Holder } from './passing.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const test = useTestApp()

const makeHolder = async (): Promise<Holder> => ({ test: test(), ...(await makeUserWithAgent(test())) })

async function notesIn(holder: Holder): Promise<Map<string, RecordOf<'note'>>> {
  const { note } = await everythingIn(holder)
  return new Map((note as RecordOf<'note'>[]).map((one) => [one.title, one]))
}

describe('an Obsidian vault', () => {
  it('becomes notes in folders, whose links still lead to the same notes', async () => {
    const holder = await makeHolder()
    const report = await importPath(holder, join(fixtures, 'obsidian'))
    expect(report).toMatchObject({ source: 'obsidian', counts: { note: { created: 6, existing: 0, failed: 0 } } })
    const notes = await notesIn(holder)
    expect([...notes.keys()].toSorted()).toEqual([
      'Beta: the second',
      'Broken',
      'Empty',
      'Garden',
      'README',
      'Watering',
    ])
    const garden = notes.get('Garden')
    expect(garden).toMatchObject({ createdAt: '2024-03-01T08:00:00.000Z' })
    expect(garden).not.toHaveProperty('folderPath')
    expect(garden?.tags).toEqual(['garden', 'spring', 'veg/roots', '2024plan'])
    // Content that fits no field stays in the text.
    expect(garden?.content).toMatch(/^---\ntags: .*\naliases: .*\ncreated: .*\nstatus: growing\n---\n# Garden/)
    expect(garden?.content).toContain('[[Beta: the second|Beta]]')
    expect(garden?.content).toContain('![[bed.png]] and a note within: ![[Watering]]')
    expect(garden?.content).toContain('`[[Not a link]]`')
    expect(notes.get('Watering')?.content).toContain('Back to [[Garden|Beds]] or [[Garden|raised beds]].')
    expect(notes.get('Watering')?.content).toContain('[[README#Steps|the list]] says. [web](https://example.org/a.md)')
    // Of two notes with the same name, the one in the same folder is linked.
    expect(notes.get('README')).toMatchObject({ folderPath: 'Projects/Alpha' })
    expect(notes.get('README')?.content).toContain('See [[README]] and [[Beta: the second|Projects/Beta/README]].')
    expect(notes.get('Beta: the second')).toMatchObject({ content: 'See [[Garden]].\n', tags: ['second', 'beta'] })
    expect(notes.get('Broken')?.content).toContain('this: [is not')
    const links = (await everythingIn(holder)).link as RecordOf<'link'>[]
    const titleOf = new Map([...notes.values()].map(({ id, title }) => [id, title]))
    expect(links.map(({ source, target }) => `${titleOf.get(source)} > ${titleOf.get(target)}`).toSorted()).toEqual([
      'Beta: the second > Garden',
      'Garden > Beta: the second',
      'Garden > Watering',
      'README > Beta: the second',
      'Watering > Garden',
      'Watering > README',
    ])
  })

  it('says what it left out, and creates nothing twice', async () => {
    const holder = await makeHolder()
    const dry = await importPath(holder, join(fixtures, 'obsidian'), { dryRun: true })
    expect(dry.counts.note).toMatchObject({ created: 6 })
    expect(dry.samples).toContain('note: Broken')
    expect((await everythingIn(holder)).note).toEqual([])
    expect(Object.fromEntries(dry.notices.map(({ what, count }) => [what, count]))).toEqual({
      'attachments and other files, not imported (.canvas)': 1,
      'attachments and other files, not imported (.png)': 1,
      'front matter with invalid YAML, kept as text': 1,
      'links to missing notes, kept unchanged': 2,
    })
    await importPath(holder, join(fixtures, 'obsidian'))
    const again = await importPath(holder, join(fixtures, 'obsidian'))
    expect(again.counts.note).toEqual({ created: 0, restored: 0, existing: 6, left: 0, failed: 0 })
  })

  it('is not confused with another one with files of the same paths', async () => {
    const holder = await makeHolder()
    const [home, work] = [await makeFolder(), await makeFolder()]
    await writeFile(join(home, 'README.md'), 'One')
    await writeFile(join(work, 'README.md'), 'Another')
    await importPath(holder, home)
    expect((await importPath(holder, work)).counts.note).toMatchObject({ created: 1, existing: 0 })
    const moved = await importPath(holder, work, { as: basename(home) })
    expect(moved.counts.note).toMatchObject({ created: 0, existing: 1 })
  })

  it('names notes with the same name by their paths, in their titles and links', async () => {
    const holder = await makeHolder()
    const folder = await makeFolder()
    await cp(join(fixtures, 'obsidian/Projects'), folder, { recursive: true })
    await writeFile(join(folder, 'Beta/README.md'), 'Beta.')
    await writeFile(
      join(folder, 'Index.md'),
      '[[README]], [[Alpha/README]], [[Beta/README#Top]], [[Alpha/README|readme]]',
    )
    await importPath(holder, folder, { source: 'obsidian' })
    const notes = await notesIn(holder)
    expect([...notes.keys()].toSorted()).toEqual(['Beta/README', 'Index', 'README'])
    expect(notes.get('Index')?.content).toBe(
      '[[README]], [[README|Alpha/README]], [[Beta/README#Top]], [[README|readme]]',
    )
  })

  it('fails with an error for an empty folder, and says what it looked for', async () => {
    const holder = await makeHolder()
    const folder = await makeFolder()
    await writeFile(join(folder, 'a.txt'), 'x')
    await expect(importPath(holder, folder, { source: 'obsidian' })).rejects.toThrow(/Nothing to import.*\.md/)
    await expect(importPath(holder, folder)).rejects.toThrow(/Unknown format[^]*server-memory/)
    await rename(join(folder, 'a.txt'), join(folder, 'b.txt'))
    await expect(importPath(holder, join(folder, 'a.txt'))).rejects.toThrow(/File or folder not found/)
  })
})

describe('memory of the MCP reference server', () => {
  it('becomes a fact for each observation, with links between their subjects', async () => {
    const holder = await makeHolder()
    const path = join(fixtures, 'server-memory.jsonl')
    const report = await importPath(holder, path)
    const counts = {
      memory: { created: 6, restored: 0, existing: 0, left: 0, failed: 0 },
      link: { created: 3, restored: 0, existing: 0, left: 0, failed: 0 },
    }
    expect(report).toMatchObject({ source: 'server-memory', counts })
    expect(Object.fromEntries(report.notices.map(({ what, count }) => [what, count]))).toEqual({
      'damaged lines, skipped': 1,
      'entities that occur only in relations': 1,
      'lines that are neither entity nor relation, skipped': 1,
    })
    const { memory, link } = await everythingIn(holder)
    const memories = memory as RecordOf<'memory'>[]
    expect(memories.map(({ content, entities }) => [content, entities])).toEqual([
      ['Prefers tabs', ['Ada']],
      ['Lives in Turin', ['Ada']],
      ['Written in Rust', ['Engine']],
      ['Turin (city)', ['Turin']],
      ['Pays the bills', ['Charles']],
      ['Nobody', ['Nobody']],
    ])
    expect(memories[2]).toMatchObject({ createdAt: '2025-02-03T10:00:00.000Z', metadata: { entityType: 'project' } })
    const textOf = new Map(memories.map(({ id, content }) => [id, content]))
    const links = (link as RecordOf<'link'>[]).map(({ source, target, label }) => [
      textOf.get(source),
      label,
      textOf.get(target),
    ])
    expect(links).toEqual([
      ['Prefers tabs', 'works_on; founded', 'Written in Rust'],
      ['Prefers tabs', 'lives_in', 'Turin (city)'],
      ['Pays the bills', 'knows', 'Nobody'],
    ])
    const again = await importPath(holder, path)
    expect(again.counts).toMatchObject({ memory: { created: 0, existing: 6 }, link: { created: 0, existing: 3 } })
  })

  it('is also read as one object over many lines', async () => {
    const holder = await makeHolder()
    const lines = (await readFile(join(fixtures, 'server-memory.jsonl'), 'utf8')).split('\n')
    const entities = [JSON.parse(lines[0] ?? '')] as object[]
    const path = await fileWith('graph.json', JSON.stringify({ entities, relations: [] }, undefined, 2))
    expect((await importPath(holder, path)).counts.memory).toMatchObject({ created: 2 })
  })

  it('fails with an error if nothing in it can be read', async () => {
    const path = await fileWith('memory.jsonl', '{"type":"entity"}\n{"broken\n')
    const holder = await makeHolder()
    await expect(importPath(holder, path, { source: 'server-memory' })).rejects.toThrow(/Nothing to import[^]*Damaged/)
  })
})
