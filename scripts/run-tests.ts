// `npm test`: runs the checks, then the tests. Arguments go to Vitest. The last line is always the count. Without arguments, tests
// with a real browser or process run only in CI and `npm run test:long`, because they take three times as long as the rest.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { programs, root, runChecks } from './checks.ts'
import { closingLines, judge, type TestSummary } from './test-summary.ts'

let counted: TestSummary = { passed: 0, failed: 0, skipped: 0, notes: [] }

const asked = process.argv.slice(2)
const leftOut = ['packages/web/e2e/**', 'packages/server/test/crash/**', 'packages/server/src/cli/**']
const isWhole = asked.length > 0 || process.env['CI'] !== undefined || process.env['VITEST_LONG'] === '1'

function close(summary: TestSummary): void {
  const left = isWhole
    ? []
    : ['Tests with browsers, processes and crashes were skipped. Run them with `npm run test:long` or CI=true.']
  console.log(closingLines({ ...summary, notes: [...summary.notes, ...left] }))
  process.exitCode = summary.failed > 0 ? 1 : 0
}

function runVitest(): void {
  const excluded = isWhole ? [] : leftOut.flatMap((files) => ['--exclude', files])
  const args = [join(programs, 'vitest', 'vitest.mjs'), 'run', ...asked, ...excluded]
  const vitest = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  vitest.on('message', (message: TestSummary) => (counted = message))
  vitest.on('exit', (code) => close(judge(counted, code ?? 1)))
  // Ctrl-C stops Vitest too. This process stays to print the summary.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => vitest.kill('SIGTERM'))
}

if (runChecks()) runVitest()
else close({ passed: 0, failed: 1, skipped: 0, notes: [] })
