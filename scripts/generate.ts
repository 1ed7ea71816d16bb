import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { routes } from '../packages/server/src/api/registry.ts'
import { describeVariables } from '../packages/server/src/config.ts'
import { printAsvsPage } from './generate/asvs-page.ts'
import { printCliPage } from './generate/cli-page.ts'
import { printConnectPage } from './generate/connect-page.ts'
import { printGeneratedFiles } from './generate/generated-files.ts'
import { printHookProgram } from './generate/hook-program.ts'
import { printPoisonedMemoryPage } from './generate/poisoned-memory-page.ts'
import { printPromisesPage } from './generate/promises-page.ts'
import { printStoredColumns, readTables } from './generate/stored-columns.ts'

/**
 * Writes the files that are generated from the registry of operations and the settings. With `--check`, it writes nothing and
 * fails with a list of outdated files.
 */
const root = dirname(import.meta.dirname)
const secondPass = '--second-pass'

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8')) as { version: string }
  return manifest.version
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const files = Object.entries({
  ...printGeneratedFiles(routes, describeVariables(), readVersion()),
  'docs/asvs.md': printAsvsPage(),
  'docs/cli.md': await printCliPage(),
  'docs/connect.md': printConnectPage(),
  'docs/poisoned-memory.md': printPoisonedMemoryPage(),
  'docs/promises.md': printPromisesPage(),
  'docs/stored-columns.md': printStoredColumns(readTables(root)),
  ...(await printHookProgram(root)),
})
const changed = files.filter(([path, text]) => readIfExists(join(root, path)) !== text)

if (process.argv.includes('--check')) {
  for (const [path] of changed) console.log(`${path} is not up to date`)
  if (changed.length > 0) console.log('Run `npm run generate` and commit the result.')
  process.exitCode = changed.length > 0 ? 1 : 0
} else {
  for (const [path, text] of changed) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const written = changed.map(([path]) => path).join(', ')
  console.log(`${files.length} generated files, written: ${written === '' ? 'none, all up to date' : written}`)
  // Some are made from others: plugins contain the client, and the help of commands names the MCP toolsets.
  if (changed.length > 0 && !process.argv.includes(secondPass))
    process.exitCode = spawnSync(process.execPath, [import.meta.filename, secondPass], { stdio: 'inherit' }).status ?? 1
}
