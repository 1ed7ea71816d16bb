// `npm test`: checks types and lint, then runs the tests. Passes its arguments to Vitest, and prints the counts last.
// Without arguments, tests that need a browser, processes or long work are left to CI and `npm run test:long`, which also run the
// other checks.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { allChecks, programs, quickChecks, root, runChecks } from './checks.ts'
import { closingLines, judge, type TestSummary } from './test-summary.ts'

let counted: TestSummary = { passed: 0, failed: 0, skipped: 0, notes: [] }

const asked = process.argv.slice(2)
const isEverything = process.env['CI'] !== undefined || process.env['VITEST_LONG'] === '1'
const isWhole = isEverything || asked.length > 0

function close(summary: TestSummary): void {
  const left = isWhole
    ? []
    : [
        'Tests with browsers, processes, crashes and long work were skipped. Run them with `npm run test:long` or CI=true.',
      ]
  console.log(closingLines({ ...summary, notes: [...summary.notes, ...left] }))
  process.exitCode = summary.failed > 0 ? 1 : 0
}

function runVitest(): void {
  const args = [join(programs, 'vitest', 'vitest.mjs'), 'run', ...asked, ...(isWhole ? [] : ['--project', 'code'])]
  const vitest = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  vitest.on('message', (message: TestSummary) => (counted = message))
  vitest.on('exit', (code) => close(judge(counted, code ?? 1)))
  // Ctrl-C stops Vitest too. This process stays to print the summary.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => vitest.kill('SIGTERM'))
}

if (runChecks(isEverything ? allChecks : quickChecks)) runVitest()
else close({ passed: 0, failed: 1, skipped: 0, notes: [] })
