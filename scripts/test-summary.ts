// The last lines of a test run: what was skipped, and the count.

import type { SerializedError } from 'vitest'
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import type { TestPostgres } from '../packages/server/test/postgres.ts'
import { findChromium } from '../packages/web/e2e/find-chromium.ts'

export interface TestSummary {
  passed: number
  failed: number
  skipped: number
  /** What a reader needs to know in addition to the numbers. */
  notes: string[]
}

/** Prints the notes, then `N passed, N failed` on its own line, with `, N skipped` if there are any. */
export function closingLines({ passed, failed, skipped, notes }: TestSummary): string {
  return [...notes, `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`].join('\n')
}

/** Counts a run as failed if it ran no test or failed outside its tests. */
export function judge(counted: TestSummary, exitCode: number): TestSummary {
  if (counted.failed > 0) return counted
  if (exitCode === 0 && counted.passed > 0) return counted
  const reason = counted.passed === 0 ? 'No test ran.' : 'The test run failed outside its tests.'
  return { ...counted, failed: 1, notes: [...counted.notes, reason] }
}

/**
 * Sends the summary to the process that started the run (run-tests.ts), which prints it last. Prints it directly if there is no
 * such process.
 */
export class TestSummaryReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(testModules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    const summary = count(testModules, errors.length)
    // Undefined if the setup failed.
    const postgres: TestPostgres | undefined = this.#vitest?.getProvidedContext().postgres
    if (postgres !== undefined && 'missing' in postgres)
      summary.notes.push(`Not tested on PostgreSQL: ${postgres.missing}`)
    if (testModules.some(({ moduleId }) => moduleId.endsWith('.e2e.ts')) && findChromium() === undefined)
      summary.notes.push('The dashboard was not tested: there is no Chromium (HOLDFAST_CHROMIUM names one).')
    if (reason === 'interrupted') summary.notes.push('The run was interrupted.')
    if (process.send) process.send(summary)
    else console.log(closingLines(judge(summary, 0)))
    if (judge(summary, 0).failed > 0) process.exitCode = 1
  }
}

function count(testModules: readonly TestModule[], unhandledErrors: number): TestSummary {
  const summary: TestSummary = { passed: 0, failed: unhandledErrors, skipped: 0, notes: [] }
  for (const testModule of testModules) {
    summary.failed += testModule.errors().length
    for (const suite of testModule.children.allSuites()) summary.failed += suite.errors().length
    for (const test of testModule.children.allTests()) {
      const result = test.result()
      const { state } = result
      if (result.state === 'skipped' && result.note !== undefined)
        summary.notes.push(`"${test.fullName}" was skipped: ${result.note}.`)
      // Pending tests never ran, for example after an interruption.
      summary[state === 'pending' ? 'skipped' : state] += 1
    }
  }
  return summary
}
