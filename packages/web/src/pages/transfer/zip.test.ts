import { buffer } from 'node:stream/consumers'
import { decode, SourceError } from '@holdfast/transfer/source'
import { expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile as OtherZipFile } from 'yazl'
import { readZip, ZipFile } from './zip.ts'

const texts: Record<string, string> = {
  'notes/Beds.md': 'Violets.\n'.repeat(1000),
  'notes/Übung 漢.md': 'Ä',
  'empty.jsonl': '',
}

async function write(): Promise<Blob> {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(texts)) {
    async function* pieces() {
      for (let at = 0; at < text.length; at += 7) yield new TextEncoder().encode(text.slice(at, at + 7))
    }
    await zip.add(path, pieces())
  }
  await zip.end()
  return zip.toBlob()
}

it('reads what it has written', async () => {
  const files = await readZip(await write())
  expect(files.map(({ path }) => path)).toEqual(Object.keys(texts).toSorted())
  for (const file of files) expect(decode(await file.read())).toBe(texts[file.path])
})

it('writes files that other programs can read', async () => {
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

it('reads files of other programs', async () => {
  const zip = new OtherZipFile()
  zip.addBuffer(Buffer.from('stored'), 'a/b.md', { compress: false })
  zip.addBuffer(Buffer.from('packed'.repeat(99)), 'c.md')
  zip.end()
  const files = await readZip(new Blob([new Uint8Array(await buffer(zip.outputStream))]))
  expect(await Promise.all(files.map(async (file) => [file.path, decode(await file.read())]))).toEqual([
    ['a/b.md', 'stored'],
    ['c.md', 'packed'.repeat(99)],
  ])
})

it('rejects files that are damaged, cut off, or not zip files', async () => {
  const bytes = new Uint8Array(await (await write()).arrayBuffer())
  const [first] = await readZip(new Blob([changed(bytes, 60)]))
  const [, beds] = await readZip(new Blob([changed(bytes, 60)]))
  await expect(Promise.all([first?.read(), beds?.read()])).rejects.toThrow('is damaged')
  await expect(readZip(new Blob([bytes.slice(0, -30)]))).rejects.toThrow('it is damaged, cut off, or not a zip file')
  await expect(readZip(new Blob(['PK, but not really a zip file']))).rejects.toThrow(
    'it is damaged, cut off, or not a zip file',
  )
})

function changed(bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}

/** Where a number of bytes is in the directory's first entry, and where the directory is. */
async function directoryOf(zip: Blob): Promise<{ bytes: Uint8Array<ArrayBuffer>; view: DataView; at: number }> {
  const bytes = new Uint8Array(await zip.arrayBuffer())
  const view = new DataView(bytes.buffer)
  return { bytes, view, at: view.getUint32(bytes.length - 6, true) }
}

it('rejects a directory whose names and comments are longer than the directory', async () => {
  for (const field of [28, 30, 32]) {
    const { bytes, view, at } = await directoryOf(await write())
    view.setUint16(at + field, 0xffff, true)
    await expect(readZip(new Blob([bytes]))).rejects.toThrow(SourceError)
  }
})

it('rejects every file with one changed byte, or reads it without another error', async () => {
  const { bytes, at } = await directoryOf(await write())
  for (let place = at; place < bytes.length; place++) {
    const problem = await readZip(new Blob([changed(bytes, place)]))
      .then((files) => Promise.all(files.map(async (file) => file.read())))
      .catch((error: unknown) => error)
    expect(Array.isArray(problem) || problem instanceof SourceError, `${place}: ${String(problem)}`).toBe(true)
  }
})

it('rejects zip bombs, by what they claim and by what they contain', async () => {
  const big = new OtherZipFile()
  big.addBuffer(Buffer.alloc(32 * 1024 * 1024), 'zeros.md')
  big.end()
  const zip = new Blob([new Uint8Array(await buffer(big.outputStream))])
  await expect(readZip(zip)).rejects.toThrow('is not safe')
  const { bytes, view, at } = await directoryOf(zip)
  view.setUint32(at + 24, 1_000, true)
  const [file] = await readZip(new Blob([bytes]))
  await expect(file?.read()).rejects.toThrow('zeros.md can’t be read')
})

it('rejects names that lead out of the folder, encrypted files and two files of one name', async () => {
  const { bytes, view, at } = await directoryOf(await write())
  const unsafe = bytes.slice()
  unsafe.set(new TextEncoder().encode('../es'), at + 46)
  await expect(readZip(new Blob([unsafe]))).rejects.toThrow(SourceError)
  view.setUint16(at + 8, view.getUint16(at + 8, true) | 1, true)
  await expect(readZip(new Blob([bytes]))).rejects.toThrow('is encrypted')
  const twice = new OtherZipFile()
  for (const text of ['one', 'two']) twice.addBuffer(Buffer.from(text), 'a.md')
  twice.end()
  await expect(readZip(new Blob([new Uint8Array(await buffer(twice.outputStream))]))).rejects.toThrow(SourceError)
})

it('reads zip64 files', async () => {
  const zip = new OtherZipFile()
  zip.addBuffer(Buffer.from('large'), 'a.md', { forceZip64Format: true })
  zip.end({ forceZip64Format: true, comment: '' })
  const [file] = await readZip(new Blob([new Uint8Array(await buffer(zip.outputStream))]))
  expect(decode((await file?.read()) ?? new Uint8Array())).toBe('large')
})
