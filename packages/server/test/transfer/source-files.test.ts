import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { runImport } from '@holdfast/transfer/run-import'
import { obsidian } from '@holdfast/transfer/sources/obsidian'
import { linesIn } from '@holdfast/transfer/source'
import { openSource } from '../../src/transfer/open-source.ts'
import { arrayOf, fileWith, makeFolder } from './passing.ts'

async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  return buffer(zip.outputStream)
}

const noPassphrase = () => Promise.reject(new Error('nothing is encrypted'))
const open = (path: string) => openSource(path, noPassphrase)

describe('the source of an import', () => {
  it('is the same from a folder and from a zip file', async () => {
    const folder = await makeFolder()
    await mkdir(join(folder, 'b/c'), { recursive: true })
    await writeFile(join(folder, 'b/c/é.md'), 'deep')
    await writeFile(join(folder, 'a.md'), 'top')
    const zip = await fileWith('all.zip', await zipOf({ 'b/c/é.md': 'deep', 'a.md': 'top' }))
    for (const path of [folder, `${folder}/`, `./${relative('.', folder)}`, zip]) {
      const source = await open(path)
      const read = await Promise.all(source.files.map(async (file) => [file.path, (await file.read()).toString()]))
      expect(read).toEqual([
        ['a.md', 'top'],
        ['b/c/é.md', 'deep'],
      ])
      await source.close()
    }
  })

  it('is never outside of it', async () => {
    const folder = await makeFolder()
    const secret = await fileWith('secret.md', 'secret')
    await symlink(secret, join(folder, 'link.md'))
    expect((await open(folder)).files).toEqual([])
    const bytes = Buffer.from(
      (await zipOf({ 'aa/evil.md': 'x' })).toString('latin1').replaceAll('aa/evil', '../evil'),
      'latin1',
    )
    await expect(open(await fileWith('evil.zip', bytes))).rejects.toThrow(/zip file cannot be read.*relative path/)
  })

  it('is rejected if it is a zip bomb, or damaged', async () => {
    const bomb = await fileWith('bomb.zip', await zipOf({ 'a.md': Buffer.alloc(32 * 1024 * 1024) }))
    await expect(open(bomb)).rejects.toThrow(/not safe: a.md would unpack/)
    const cut = await fileWith('cut.zip', await zipOf({ 'a.md': 'x' }))
    await truncate(cut, 60)
    await expect(open(cut)).rejects.toThrow(/zip file cannot be read/)
  })

  it('is not read to the end if it claims a smaller size than it unpacks to', async () => {
    const bytes = await zipOf({ 'a.md': 'y'.repeat(100_000) })
    const size = Buffer.alloc(4)
    size.writeUInt32LE(100_000)
    const lie = Buffer.alloc(4)
    lie.writeUInt32LE(10)
    const lying = Buffer.from(
      bytes.toString('latin1').replaceAll(size.toString('latin1'), lie.toString('latin1')),
      'latin1',
    )
    const source = await open(await fileWith('lie.zip', lying))
    await expect(source.files[0]?.read()).rejects.toThrow(/^a\.md cannot be read: too many bytes/)
  })

  it.runIf(process.platform === 'linux')('leaves out what cannot be opened, and waits for no pipe', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'a.md'), 'top')
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x62, 0xff]), Buffer.from('.md')]), 'odd')
    const source = await open(folder)
    expect(source.files.map(({ path }) => path)).toEqual(['a.md'])
    expect(source.unreadable).toEqual(['b\uFFFD.md'])
    const report = await runImport(source, obsidian, {
      importId: '0198c5f0-0000-7000-8000-000000000901',
      dryRun: true,
      send: async (records) => ({ results: records.map(() => ({ status: 'created' as const })) }),
      isRefusal: () => false,
      isTransient: () => false,
      onProgress: () => {},
    })
    expect(report).toMatchObject({
      counts: { note: { created: 1 } },
      notices: [{ count: 1, examples: ['b\uFFFD.md'] }],
    })
    const pipe = join(folder, 'pipe')
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
    await expect(open(pipe)).rejects.toThrow('is neither a file nor a folder')
  })

  it('is rejected if two files of a zip have the same name', async () => {
    const zip = new ZipFile()
    for (const text of ['first', 'second']) zip.addBuffer(Buffer.from(text), 'a.md')
    zip.end()
    await expect(open(await fileWith('two.zip', await buffer(zip.outputStream)))).rejects.toThrow(
      'The zip file has two files named a.md.',
    )
  })

  it('has no line that is longer than any real one, and long ones take linear time', async () => {
    const piece = Buffer.alloc(16 * 1024, 'x')
    const fileOf = (pieces: number) => ({
      path: 'long.jsonl',
      stream: async () => Readable.from(Array.from({ length: pieces }, () => piece)),
    })
    const [line] = await arrayOf(linesIn(fileOf(2_000)))
    expect(line).toHaveLength(2_000 * 16 * 1024)
    await expect(arrayOf(linesIn(fileOf(5_000)))).rejects.toThrow(/long\.jsonl has a line of more than/)
  })

  it('has lines that end only in line feeds', async () => {
    const text = `{"a":"one\u2028line"}\r\ntwo\n\nlast ${'é'.repeat(70_000)}`
    const { files } = await open(await fileWith('a.jsonl', text))
    const [file] = files
    expect(file && (await arrayOf(linesIn(file)))).toEqual(text.split('\n'))
  })
})
