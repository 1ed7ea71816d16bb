import { expect, it } from 'vitest'
import { firstChunks, readChunks, type Chunk } from './read-chunks.ts'

const levels = (text: string) =>
  firstChunks(text).chunks.flatMap((chunk) => chunk.filter(({ level }) => level > 0).map(({ level }) => level))

it.each([
  ['# A\n\n## B\n\n# C', [2, 3, 2]],
  ['## A\n\n#### B\n\n## C', [2, 3, 2]],
  ['### A\n\n# B\n\n###### C', [2, 2, 3]],
])('the headings of %j begin below the title and skip no level', (text, shown) => expect(levels(text)).toEqual(shown))

it('a long text begins at once and is then read as a whole', async () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `## Day ${at}\n\nBoats: *${at}*`).join('\n\n')
  const first = firstChunks(text)
  expect(first.isAll).toBe(false)
  const reports: { chunks: Chunk[]; isAll: boolean }[] = []
  await readChunks(text, new AbortController().signal, (chunks, isAll) => reports.push({ chunks, isAll }))
  const last = reports.at(-1)
  expect(last?.isAll).toBe(true)
  expect(last?.chunks.flat()).toHaveLength(10_000)
  const begun = first.chunks.flat()
  expect(last?.chunks.flat().slice(0, begun.length)).toEqual(begun)
})

it('stops when another text is shown', async () => {
  const stop = new AbortController()
  const text = 'word *by* word\n\n'.repeat(20_000)
  const reading = readChunks(text.slice(0, 200_000), stop.signal, () => expect.unreachable())
  stop.abort()
  await reading
})

it('a list with thousands of items is shown in parts that count on', () => {
  const list = Array.from({ length: 450 }, (_, at) => `${at + 1}. item`).join('\n')
  const shown = firstChunks(list).chunks.flat()
  expect(shown.map(({ block }) => block.kind === 'list' && [block.start, block.items.length])).toEqual([
    [1, 200],
    [201, 200],
    [401, 50],
  ])
})

it('a text that isn’t read as Markdown is shown whole', () => {
  const text = `${'> '.repeat(100)}\n${'x'.repeat(25_000)}`
  const shown = firstChunks(text).chunks.flat()
  const texts = shown.map(({ block }) =>
    block.kind === 'paragraph' && block.parts[0]?.kind === 'text' ? block.parts[0].text : '',
  )
  expect(texts.join('')).toBe(text)
})
