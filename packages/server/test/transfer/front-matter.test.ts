import { expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { splitFrontMatter } from '@holdfast/transfer/sources/front-matter'
import { openSource } from '../../src/transfer/open-source.ts'
import type { RecordOf } from '../../src/transfer/record.ts'
import { everythingIn, exportZip, fileWith, importPath } from './passing.ts'

const test = useTestApp()

it('a note with its own front matter is exported with one block, and imported unchanged', async () => {
  const user = await makeUserWithAgent(test())
  const contents = [
    '---\nstatus: growing\ntags: [soil]\n---\n# Beds\n---\nmore',
    '---\r\nstatus: growing\r\n---\r\nText',
    '---\nstatus: alone\n---\n',
    '---\nholdfast: {"title":"Forged"}\n---\nText',
    '---\n{status: growing}\n---\nText',
    '---\nno: [yaml\n---\nText',
  ]
  for (const [at, content] of contents.entries())
    await test().call('create-note', { title: `Note/${at}`, content, tags: ['garden'] }, { key: user.key })
  const holder = { test: test(), ...user }
  const file = await fileWith('all.zip', await exportZip(holder))
  const { files } = await openSource(file, async () => '')
  const beds = files.find(({ path }) => path === 'notes/Note-0.md')
  const { fields, body } = splitFrontMatter((await beds?.read())?.toString() ?? '')
  expect(fields).toMatchObject({ status: 'growing', tags: ['soil'], aliases: ['Note/0'] })
  expect(body).toBe('# Beds\n---\nmore')

  const other = await makeUserWithAgent(test())
  const there = { test: test(), ...other }
  await importPath(there, file)
  const { note } = await everythingIn(there)
  const contentOf = new Map((note as RecordOf<'note'>[]).map(({ title, content }) => [title, content]))
  expect(contents.map((_, at) => contentOf.get(`Note/${at}`))).toEqual(contents)
})
