import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'

export const root = dirname(import.meta.dirname)

export const programs = join(root, 'node_modules')

interface Check {
  name: string
  args: string[]
}

const types = (name: string, project: string): Check => ({
  name,
  args: [join(programs, 'typescript', 'bin', 'tsc'), '-p', project],
})

const lint = (...args: string[]): Check => ({
  name: 'lint',
  args: [join(programs, 'oxlint', 'bin', 'oxlint'), ...args],
})

const typeChecks = [
  types('types', 'tsconfig.json'),
  types('types, web', 'packages/web/tsconfig.json'),
  types('types, browser', 'packages/web/e2e/tsconfig.json'),
]

/** What every run of the tests begins with. The lint rules that need types take ten times as long as the others. */
export const quickChecks: readonly Check[] = [...typeChecks, lint()]

export const allChecks: readonly Check[] = [
  ...typeChecks,
  lint('--type-aware'),
  { name: 'format', args: [join(programs, 'oxfmt', 'bin', 'oxfmt'), '--check'] },
  { name: 'unused code', args: [join(programs, 'knip', 'bin', 'knip.js'), '--no-progress'] },
  { name: 'generated files', args: [join(root, 'scripts', 'generate.ts'), '--check'] },
  { name: 'licenses', args: [join(root, 'scripts', 'list-dependencies.ts')] },
]

/** Runs static checks up to the first failure, and prints its output. */
export function runChecks(checks: readonly Check[]): boolean {
  return checks.every(({ name, args }) => {
    const started = Date.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    })
    const passed = status === 0
    if (!passed) console.log(`${stdout}${stderr}`)
    console.log(`${name.padEnd(16)} ${passed ? 'ok' : 'FAILED'}  ${((Date.now() - started) / 1000).toFixed(1)} s`)
    return passed
  })
}
