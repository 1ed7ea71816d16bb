// `npm test`: the checks, then the tests; the arguments are Vitest's. The last line is always the count. Where nothing is asked for
// by name, what takes a real browser or process is left to CI and `npm run test:long`: it needs three times as long as all the rest.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { programs, root, runChecks } from './checks.ts'
import { closingLines, judge, type TestSummary } from './test-summary.ts'

let counted: TestSummary = { passed: 0, failed: 0, skipped: 0, notes: [] }

const asked = process.argv.slice(2)
const leftOut = ['packages/web/e2e/**', 'packages/server/test/crash/**', 'packages/server/src/cli/**']
const isWhole = asked.length > 0 || process.env['CI'] !== undefined || process.env['VITEST_LONG'] === '1'

function close(summary: TestSummary): void {
  const left = isWhole ? [] : ['Browsers, processes and crashes were left out: `npm run test:long`, or CI=true.']
  console.log(closingLines({ ...summary, notes: [...summary.notes, ...left] }))
  process.exitCode = summary.failed > 0 ? 1 : 0
}

function runVitest(): void {
  const excluded = isWhole ? [] : leftOut.flatMap((files) => ['--exclude', files])
  const args = [join(programs, 'vitest', 'vitest.mjs'), 'run', ...asked, ...excluded]
  const vitest = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  vitest.on('message', (message: TestSummary) => (counted = message))
  vitest.on('exit', (code) => close(judge(counted, code ?? 1)))
  // Vitest stops by itself at a Ctrl-C, which it gets too; this process stays to close the run.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => vitest.kill('SIGTERM'))
}

if (runChecks()) runVitest()
else close({ passed: 0, failed: 1, skipped: 0, notes: [] })
