import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../checks.ts'
import { printLicenses } from '../dependencies/license-texts.ts'
import { listShipped, readLock } from '../dependencies/locked-packages.ts'
import { bundle } from './bundle.ts'
import { readManifest, writeManifest } from './manifest.ts'

/** Builds the package `@holdfast/mcp` in an empty folder: MCP over stdio for agents whose server runs elsewhere. It needs no other package. */
export async function buildMcp(folder: string): Promise<void> {
  await bundle(['mcp'], join(folder, 'dist'))
  const source = join(root, 'packages/mcp')
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(folder, name))
  writeFileSync(
    join(folder, 'THIRD-PARTY-LICENSES.txt'),
    printLicenses(root, listShipped(root, readLock(root)).packages),
  )
  writeManifest(folder, readManifest(source), {
    bin: { 'holdfast-mcp': 'dist/mcp.js' },
    files: ['dist', 'NOTICE', 'THIRD-PARTY-LICENSES.txt'],
  })
}
