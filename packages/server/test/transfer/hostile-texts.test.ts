import { expect, it } from 'vitest'
import { FileNames } from '@holdfast/transfer/archive-names'
import { agentsMd } from '@holdfast/transfer/sources/agents-md'
import { basicMemory } from '@holdfast/transfer/sources/basic-memory'
import { indexNotes, type MarkdownNote } from '@holdfast/transfer/sources/note-index'
import { Notices, type Reader } from '@holdfast/transfer/sources/reading'
import type { SourceFile } from '@holdfast/transfer/source'
import { startProcessorClock } from '../processor-time.ts'
import { arrayOf } from './passing.ts'

const fileOf = (path: string, text: string): SourceFile => ({
  path,
  bytes: text.length,
  modifiedAt: 0,
  read: async () => Buffer.from(text),
  stream: () => Promise.reject(new Error('is read as a whole')),
})

const readAll = (reader: Reader, path: string, text: string) =>
  arrayOf(reader.read({ name: 'some', files: [fileOf(path, text)], close: async () => {} }, new Notices()))

const noteAt = (path: string): MarkdownNote => ({
  path,
  baseName: path.split('/').at(-1)?.replace('.md', '') ?? '',
  ownTitle: undefined,
  aliases: [],
})

/** Code with more than linear time took minutes for these. */
const limitMs = 5_000

it('headings with many spaces and marks are read in linear time', async () => {
  const usedMs = startProcessorClock()
  const memories = await readAll(
    agentsMd,
    'AGENTS.md',
    `# a${' '.repeat(50_000)}x\u0001 \rmore\n# b${'# '.repeat(40_000)}x\nOne\n`,
  )
  expect(memories).toHaveLength(1)
  const closed = await readAll(agentsMd, 'AGENTS.md', '# Rules ##\nUse tabs.\n## Using C#\nNo macros.\n')
  expect(closed).toMatchObject([{ content: 'Rules: Use tabs.' }, { content: 'Rules > Using C#: No macros.' }])
  expect(usedMs()).toBeLessThan(limitMs)
})

it('so are observations and relations', async () => {
  const usedMs = startProcessorClock()
  const spaces = ' '.repeat(100_000)
  const text = `---\npermalink: a\n---\n- [fact] a${spaces}x\n- [fact] b (c)\n- is [[${'a'.repeat(100_000)}\n`
  const records = await readAll(basicMemory, 'a.md', text)
  expect(records.filter(({ kind }) => kind === 'memory')).toMatchObject([
    {},
    { content: 'b', metadata: { context: 'c' } },
  ])
  expect(usedMs()).toBeLessThan(limitMs)
})

it('so are links, and a link in each of many notes with the same name', () => {
  const usedMs = startProcessorClock()
  const text = `[](${'.md#'.repeat(100_000)}`
  expect(indexNotes([]).rewriteLinks(text, 'a.md').text).toBe(text)
  const index = indexNotes(Array.from({ length: 20_000 }, (_, at) => noteAt(`top/f${at}/README.md`)))
  for (let at = 0; at < 20_000; at++) expect(index.find('README', `top/f${at}/README.md`)).toBe(`top/f${at}/README.md`)
  expect(index.find('f7/README', 'elsewhere.md')).toBe('top/f7/README.md')
  expect(usedMs()).toBeLessThan(limitMs)
})

it('many records with the same name get separate file names', () => {
  const usedMs = startProcessorClock()
  const names = new FileNames()
  const paths = Array.from({ length: 20_000 }, () => names.nameFor('notes/', 'Session', '.md'))
  expect(new Set(paths).size).toBe(20_000)
  expect(paths.slice(0, 2)).toEqual(['notes/Session.md', 'notes/Session (2).md'])
  expect(usedMs()).toBeLessThan(limitMs)
})
