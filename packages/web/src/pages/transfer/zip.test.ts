import { buffer } from 'node:stream/consumers'
import { decode } from '@holdfast/transfer/source'
import { expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { readZip } from './read-zip.ts'
import { ZipWriter } from './write-zip.ts'

const texts: Record<string, string> = {
  'notes/Beds.md': 'Violets.\n'.repeat(1000),
  'notes/Übung 漢.md': 'Ä',
  'empty.jsonl': '',
}

async function write(): Promise<Blob> {
  const zip = new ZipWriter()
  for (const [path, text] of Object.entries(texts)) {
    async function* pieces() {
      for (let at = 0; at < text.length; at += 7) yield new TextEncoder().encode(text.slice(at, at + 7))
    }
    await zip.add(path, pieces())
  }
  zip.end()
  return zip.toBlob()
}

it('what was written is read again', async () => {
  const files = await readZip(await write())
  expect(files.map(({ path }) => path)).toEqual(Object.keys(texts).toSorted())
  for (const file of files) expect(decode(await file.read())).toBe(texts[file.path])
})

it('others can read what was written', async () => {
  const zip = await fromBufferPromise(Buffer.from(await (await write()).arrayBuffer()), {})
  const names: string[] = []
  for await (const entry of zip.eachEntry()) {
    names.push(entry.fileName)
    let text = ''
    for await (const piece of await zip.openReadStreamPromise(entry)) text += String(piece)
    expect(Buffer.byteLength(text)).toBe(Buffer.byteLength(texts[entry.fileName] ?? 'x'))
  }
  expect(names).toEqual(Object.keys(texts))
})

it('what others have written is read', async () => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('stored'), 'a/b.md', { compress: false })
  zip.addBuffer(Buffer.from('packed'.repeat(99)), 'c.md')
  zip.end()
  const files = await readZip(new Blob([new Uint8Array(await buffer(zip.outputStream))]))
  expect(await Promise.all(files.map(async (file) => [file.path, decode(await file.read())]))).toEqual([
    ['a/b.md', 'stored'],
    ['c.md', 'packed'.repeat(99)],
  ])
})

it('refuses what is damaged, cut off, or no zip file', async () => {
  const bytes = new Uint8Array(await (await write()).arrayBuffer())
  const [first] = await readZip(new Blob([changed(bytes, 60)]))
  const [, beds] = await readZip(new Blob([changed(bytes, 60)]))
  await expect(Promise.all([first?.read(), beds?.read()])).rejects.toThrow('is damaged')
  await expect(readZip(new Blob([bytes.slice(0, -30)]))).rejects.toThrow('no directory')
  await expect(readZip(new Blob(['PK, but not really a zip file']))).rejects.toThrow('no directory')
})

function changed(bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}
