import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { notion } from '@holdfast/transfer/sources/notion'
import { detectReader } from '@holdfast/transfer/sources/readers'
import { Notices } from '@holdfast/transfer/sources/reading'
import { openSource } from '../../src/transfer/open-source.ts'
import { arrayOf, makeFolder } from './passing.ts'

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
