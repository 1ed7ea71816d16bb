import { TestRunner } from 'vitest'

/** Numbers that a test has measured, by what they count: "rounds", "writes lost". */
export type Figures = Record<string, number | string>

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures
  }
}

/** Keeps what the current test has measured. A run with TEST_RECORD_FIGURES=1 stores it; docs/promises.md shows it. */
export function measured(figures: Figures): void {
  const test = TestRunner.getCurrentTest()
  if (test === undefined) throw new Error('only a test can measure')
  test.meta.figures = figures
}

/** How much of each long test runs. TEST_LONG_PERCENT=1 shows within minutes whether all of them work. */
export const percent = Number(process.env['TEST_LONG_PERCENT'] ?? 100)

/** The part of a long test's rounds that runs, at least one. */
export const scaled = (count: number): number => Math.max(1, Math.round((count * percent) / 100))

/** For a test whose size alone makes it long. */
export const inLongRun = (count: number, usually: number): number =>
  process.env['VITEST_LONG'] === '1' ? scaled(count) : usually
