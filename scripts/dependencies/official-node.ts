import { gunzipSync } from 'node:zlib'
import { sha256 as hash } from '../../packages/server/src/crypto/hash.ts'
import type { NodePackage } from '../node-packages.mjs'

export type Hashes = Pick<NodePackage, 'sha256' | 'archiveSha256'>

/** The official release couldn't be read. That says nothing about the program. */
export class NotReachable extends Error {}

/**
 * Reads the hashes of an official release: the published checksum of the archive, and that of the program in it. Fails if the archive
 * doesn't have its published checksum. `site` is the folder of all releases.
 */
export async function readOfficialHashes(site: string, { version, archive }: NodePackage): Promise<Hashes> {
  const release = `${site}/v${version}`
  const sums = (await download(`${release}/SHASUMS256.txt`)).toString('utf8')
  const archiveSha256 = sums
    .split('\n')
    .find((line) => line.endsWith(`  ${archive}`))
    ?.split(' ')[0]
  if (archiveSha256 === undefined) throw new Error(`SHASUMS256.txt of Node ${version} has no ${archive}`)
  const bytes = await download(`${release}/${archive}`)
  if (hashOf(bytes) !== archiveSha256) throw new Error(`${archive} doesn't have the checksum in SHASUMS256.txt`)
  const program = archive.endsWith('.tar.gz') ? findInTar(gunzipSync(bytes), '/bin/node') : bytes
  if (program === undefined) throw new Error(`${archive} contains no program`)
  return { sha256: hashOf(program), archiveSha256 }
}

async function download(url: string): Promise<Buffer> {
  try {
    const response = await fetch(url)
    if (response.ok) return Buffer.from(await response.arrayBuffer())
    throw new Error(`status ${response.status}`)
  } catch (error) {
    throw new NotReachable(`${url}: ${error instanceof Error ? error.message : ''}`)
  }
}

const hashOf = (bytes: Uint8Array) => hash(bytes).toString('hex')

const blockBytes = 512

/** The contents of the first file whose name ends so. Each file follows a header with its name and its length in octal digits. */
function findInTar(tar: Buffer, ending: string): Buffer | undefined {
  for (let at = 0; at + blockBytes <= tar.length;) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
    const length = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0
    const start = at + blockBytes
    if (name.endsWith(ending)) return tar.subarray(start, start + length)
    at = start + Math.ceil(length / blockBytes) * blockBytes
  }
  return undefined
}
