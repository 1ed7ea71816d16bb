import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { programs } from '../../../scripts/checks.ts'

const options = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions', '--ignoreConfig']
const target = ['--target', 'es2024', '--module', 'nodenext']

/** Type-checks examples as programs of readers, and returns what the compiler prints. `types`: what they may use without importing it. */
export function typeCheck(cwd: string, files: readonly string[], types: string): string {
  const compiler = join(programs, 'typescript/bin/tsc')
  const args = [compiler, ...files, ...options, ...target, '--types', types]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  return stdout + stderr
}
