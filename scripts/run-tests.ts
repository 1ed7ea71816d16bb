// `npm test`: the checks, then the tests; the arguments are Vitest's. The last line is always the count.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { programs, root, runChecks } from './checks.ts'
import { closingLines, judge, type TestSummary } from './test-summary.ts'

let counted: TestSummary = { passed: 0, failed: 0, skipped: 0, notes: [] }

function close(summary: TestSummary): void {
  console.log(closingLines(summary))
  process.exitCode = summary.failed > 0 ? 1 : 0
}

function runVitest(): void {
  const args = [join(programs, 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)]
  const vitest = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  vitest.on('message', (message: TestSummary) => (counted = message))
  vitest.on('exit', (code) => close(judge(counted, code ?? 1)))
  // Vitest stops by itself at a Ctrl-C, which it gets too; this process stays to close the run.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => vitest.kill('SIGTERM'))
}

if (runChecks()) runVitest()
else close({ passed: 0, failed: 1, skipped: 0, notes: [] })
