import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sha256 } from '../packages/server/src/crypto/hash.ts'
import { root } from './checks.ts'
import { NotReachable, readOfficialHashes } from './dependencies/official-node.ts'
import { nodePackages, platform } from './node-packages.mjs'

const hashOf = (bytes: Uint8Array) => sha256(bytes).toString('hex')

/** A tar archive of small files. */
const tarOf = (files: Record<string, string>) =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([name, content]) => {
      const header = Buffer.alloc(512)
      header.write(name)
      header.write(content.length.toString(8).padStart(11, '0'), 124)
      return [header, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0'))]
    }),
    Buffer.alloc(1024),
  ])

async function serve(files: Record<string, Buffer | string>): Promise<string> {
  const server = createServer((request, response) => {
    const file = files[request.url ?? '']
    response.writeHead(file === undefined ? 404 : 200).end(file)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const release = { version: '1.2.3', integrity: '', sha256: '', archiveSha256: '' }
const archive = 'node-v1.2.3-linux-x64.tar.gz'

describe('the official hashes of a release', () => {
  const bytes = gzipSync(
    tarOf({ 'node-v1.2.3-linux-x64/README.md': 'x'.repeat(700), 'node-v1.2.3-linux-x64/bin/node': 'the program' }),
  )
  const read = async (sums: string, file: string = archive) =>
    readOfficialHashes(await serve({ '/v1.2.3/SHASUMS256.txt': sums, [`/v1.2.3/${archive}`]: bytes }), {
      ...release,
      archive: file,
    })

  it('are the published checksum of the archive, and the hash of the program in it', async () => {
    const sums = `${'0'.repeat(64)}  other.tar.gz\n${hashOf(bytes)}  ${archive}\n`
    expect(await read(sums)).toEqual({ archiveSha256: hashOf(bytes), sha256: hashOf(Buffer.from('the program')) })
  })

  it('are those of the program itself where it is published alone', async () => {
    const program = Buffer.from('the program for Windows')
    const site = await serve({
      '/v1.2.3/SHASUMS256.txt': `${hashOf(program)}  win-x64/node.exe\n`,
      '/v1.2.3/win-x64/node.exe': program,
    })
    const hash = hashOf(program)
    expect(await readOfficialHashes(site, { ...release, archive: 'win-x64/node.exe' })).toEqual({
      archiveSha256: hash,
      sha256: hash,
    })
  })

  it('are refused if the archive is not the published one, or not in the list', async () => {
    await expect(read(`${'0'.repeat(64)}  ${archive}\n`)).rejects.toThrow("doesn't have the checksum")
    await expect(read(`${hashOf(bytes)}  other.tar.gz\n`)).rejects.toThrow('SHASUMS256.txt of Node 1.2.3 has no')
  })

  it('are unknown, which is not a difference, if the release cannot be read', async () => {
    const site = await serve({})
    await expect(readOfficialHashes(site, { ...release, archive })).rejects.toThrow(NotReachable)
    await expect(readOfficialHashes('http://127.0.0.1:9', { ...release, archive })).rejects.toThrow(NotReachable)
  })
})

describe('the packages of Node', () => {
  it('name their version in the archive, and state whole hashes', () => {
    const wrong = Object.entries(nodePackages).filter(
      ([name, { version, archive: file, ...hashes }]) =>
        !(file === `node-v${version}-${name}.tar.gz` || file === `${name}/node.exe`) ||
        ![hashes.sha256, hashes.archiveSha256].every((hash) => /^[0-9a-f]{64}$/.test(hash)),
    )
    expect(wrong).toEqual([])
  })

  it.runIf(process.execPath.startsWith(join(root, '.runtime')))('contain the program that runs this test', () => {
    expect(hashOf(readFileSync(process.execPath))).toBe(nodePackages[platform]?.sha256)
  })
})
