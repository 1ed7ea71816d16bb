import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { describeCommit, describeHardware } from '../../../../bench/machine.ts'
import { percent, type Figures } from './measured.ts'
import { keepAttacks } from '../poisoned-memory/results.ts'
import { promises } from './promises.ts'
import type { Proof } from './proof.ts'

/** The last recorded run of one test, which may be many tests in the report: one per database, or per case of a table. */
export interface Recorded {
  passed: number
  /** What they measured, by the database or by the name of the block. */
  measured?: Record<string, Figures>
  /** How much of a long test ran. Without it, all. */
  percent?: number
  at: string
  commit: string
  machine: string
}

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

/** Stores what the tests of the promises measured, if all of them passed. Enabled by TEST_RECORD_FIGURES=1. */
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
      const ran = found.map(({ test }) => test).filter((test) => test.result().state !== 'skipped')
      if (ran.length === 0 || ran.some((test) => test.result().state !== 'passed')) continue
      const measured = ran.flatMap((test) => {
        const { figures } = test.meta()
        return figures === undefined ? [] : [[placeOf(test), figures] as const]
      })
      recorded[keyOf(proof)] = {
        passed: ran.length,
        ...(measured.length > 0 && { measured: Object.fromEntries(measured) }),
        ...(isLong(proof) && percent !== 100 && { percent }),
        ...run,
      }
    }
    const known = new Set(promises.flatMap(({ proofs }) => proofs.map(keyOf)))
    const kept = Object.entries(recorded).filter(([key]) => known.has(key))
    const sorted = kept.toSorted(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(figuresFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  }
}
