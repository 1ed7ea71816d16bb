import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { programs, root } from '../checks.ts'
import { bundle, serverPrograms } from './bundle.ts'
import { packDocs } from './docs.ts'
import { writeLicenses } from './licenses.ts'
import { pick, readManifest, writeManifest } from './manifest.ts'

/** Builds the package `holdfast` in an empty folder: server, command line, dashboard, documentation, model, and MCP over stdio. */
export async function buildHoldfast(folder: string): Promise<void> {
  await bundle(serverPrograms, join(folder, 'dist'))
  buildDashboard(join(folder, 'dashboard'))
  packDocs(join(folder, 'docs'))
  const source = join(root, 'packages/server')
  for (const name of ['assets', 'README.md']) cpSync(join(source, name), join(folder, name), { recursive: true })
  writeLicenses(folder, () => true)
  const manifest = readManifest(source)
  writeManifest(folder, manifest, {
    bin: { holdfast: 'dist/main.js' },
    files: ['dist', 'dashboard', 'docs', 'assets', 'NOTICE', 'THIRD-PARTY-LICENSES.txt'],
    // Everything else is in `dist`.
    dependencies: pick(manifest.dependencies, ['@node-rs/argon2', 'better-sqlite3']),
    peerDependencies: manifest.peerDependencies,
    peerDependenciesMeta: manifest.peerDependenciesMeta,
  })
}

function buildDashboard(target: string): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(programs, 'vite/bin/vite.js'), 'build', '--outDir', target, '--emptyOutDir', '--logLevel', 'error'],
    {
      cwd: join(root, 'packages/web'),
      env: { ...process.env, NODE_ENV: 'production', VITE_COMMAND_LINE: 'holdfast' },
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`The dashboard could not be built\n${stderr}`)
}
