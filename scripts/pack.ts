import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildClient } from './build-client.ts'
import { buildHoldfast } from './pack/holdfast.ts'
import { buildMcp } from './pack/mcp.ts'

// `npm run pack -- <folder>` builds everything that is published on npm, and writes the tarballs there.

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: npm run pack -- <folder>')
  process.exit(2)
}
// npm runs scripts in the root folder, but people name folders from where they are.
const target = resolve(process.env['INIT_CWD'] ?? '.', folder)
mkdirSync(target, { recursive: true })

const builds: readonly ((folder: string) => void | Promise<void>)[] = [buildHoldfast, buildClient, buildMcp]

for (const build of builds) {
  const built = mkdtempSync(join(tmpdir(), 'holdfast-pack-'))
  try {
    await build(built)
    const { filename, size, unpackedSize } = pack(built)
    console.log(`${filename.padEnd(28)} ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked`)
  } finally {
    rmSync(built, { recursive: true })
  }
}

interface Packed {
  filename: string
  size: number
  unpackedSize: number
}

function pack(built: string): Packed {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: built,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const [packed] = status === 0 ? (JSON.parse(stdout) as Packed[]) : []
  if (packed === undefined) throw new Error(`npm pack failed\n${stderr}`)
  return packed
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
