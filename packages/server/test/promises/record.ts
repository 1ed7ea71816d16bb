import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { describeCommit, describeHardware } from '../../../../bench/machine.ts'
import { percent, type Figures } from './measured.ts'
import { keepAttacks } from '../poisoned-memory/results.ts'
import { promises } from './promises.ts'
import type { Proof } from './proof.ts'

/** The last recorded run of one test on one database. It may be many tests in the report: one per case of a table. */
export interface Run {
  passed: number
  measured?: Figures
  /** How much of a long test ran. Without it, all. */
  percent?: number
  at: string
  commit: string
  machine: string
}

/**
 * By the database, or `all`. Each can be recorded on its own (`-t SQLite`), because a long test takes an hour on each. Null until
 * it is.
 */
export type Recorded = Record<string, Run | null>

const root = join(import.meta.dirname, '../../../..')
const figuresFile = join(import.meta.dirname, 'figures.json')

export const keyOf = ({ file, test }: Proof): string => `${file} > ${test}`

export const isLong = ({ file }: Proof): boolean => file.endsWith('.long.test.ts')

export const readRecorded = (): Record<string, Recorded> =>
  JSON.parse(readFileSync(figuresFile, 'utf8')) as Record<string, Recorded>

/** A title as the source has it, which may contain the placeholders of a table. */
function matches(title: string, name: string): boolean {
  const fixed = title.split(/%[sdij]|\$\w+(?:\.\w+)*/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${fixed.join('.*')}$`, 's').test(name)
}

const placeOf = ({ fullName }: TestCase): string => /\((SQLite|PostgreSQL)\)/.exec(fullName)?.[1] ?? 'all'

/** Undefined unless all that ran have passed. */
function runOf(
  tests: readonly TestCase[],
  isLongTest: boolean,
  run: Pick<Run, 'at' | 'commit' | 'machine'>,
): Run | undefined {
  const ran = tests.filter((test) => test.result().state !== 'skipped')
  if (ran.length === 0 || ran.some((test) => test.result().state !== 'passed')) return undefined
  const measured = ran.findLast((test) => test.meta().figures !== undefined)?.meta().figures
  return {
    passed: ran.length,
    ...(measured !== undefined && { measured }),
    ...(isLongTest && percent !== 100 && { percent }),
    ...run,
  }
}

/** Stores what the tests of the promises measured, by test and database. Enabled by TEST_RECORD_FIGURES=1. */
export class FigureRecorder implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(({ moduleId, children }) =>
      [...children.allTests()].map((test) => ({ test, file: relative(root, moduleId) })),
    )
    keepAttacks(tests.map(({ test }) => test))
    const recorded = readRecorded()
    const at = new Date().toISOString().slice(0, 10)
    const run = { at, commit: describeCommit(), machine: describeHardware(root) }
    for (const proof of promises.flatMap(({ proofs }) => proofs)) {
      const found = tests.filter(({ test, file }) => file === proof.file && matches(proof.test, test.name))
      if (found.length === 0) continue
      const former = recorded[keyOf(proof)] ?? {}
      const byPlace = Map.groupBy(
        found.map(({ test }) => test),
        placeOf,
      )
      const current = [...byPlace].map(
        ([place, all]) => [place, runOf(all, isLong(proof), run) ?? former[place] ?? null] as const,
      )
      recorded[keyOf(proof)] = Object.fromEntries(current)
    }
    const known = new Set(promises.flatMap(({ proofs }) => proofs.map(keyOf)))
    const kept = Object.entries(recorded).filter(([key]) => known.has(key))
    const sorted = kept.toSorted(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(figuresFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  }
}
