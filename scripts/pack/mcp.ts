import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../checks.ts'
import { bundle } from './bundle.ts'
import { writeLicenses } from './licenses.ts'
import { readManifest, writeManifest } from './manifest.ts'

/** Builds the package `@holdfast/mcp` in an empty folder: MCP over stdio for agents whose server runs elsewhere. It needs no other package. */
export async function buildMcp(folder: string): Promise<void> {
  const bundled = await bundle(['mcp'], join(folder, 'dist'))
  const source = join(root, 'packages/mcp')
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  writeLicenses(folder, ({ path }) => bundled.has(path))
  writeManifest(folder, readManifest(source), {
    bin: { 'holdfast-mcp': 'dist/mcp.js' },
    files: ['dist', 'NOTICE', 'THIRD-PARTY-LICENSES.txt'],
  })
}
