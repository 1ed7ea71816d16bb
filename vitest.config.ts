import { availableParallelism, tmpdir } from 'node:os'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { TestSummaryReporter } from './scripts/test-summary.ts'

// Long tests are those that take minutes: they run with `npm run test:long`.
const longTests = process.env['VITEST_LONG'] === '1' ? [] : ['**/*.long.test.ts']

const commands = 'packages/server/src/cli/*.test.ts'
const crashes = 'packages/server/test/crash/*.test.ts'

type Options = NonNullable<TestProjectInlineConfiguration['test']>

const project = (name: string, include: string[], options: Options = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, ...options },
})

// Each of these tests keeps several processes busy, so they run after the others, with fewer workers.
const afterwards: Options = { sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...longTests],
    // Importing the server for each file of its own would take as long as all tests: those of a worker share its modules.
    isolate: false,
    // Left to itself, Vitest uses half the cores: of two, one.
    maxWorkers: availableParallelism(),
    // What takes 2 s alone may take twenty where all cores are at work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['packages/server/test/leftovers.ts'],
    globalSetup: ['packages/server/test/memory-folder.ts', 'packages/server/test/postgres.ts'],
    reporters: ['default', new TestSummaryReporter()],
    projects: [
      project('code', ['packages/*/{src,test}/**/*.test.ts', 'scripts/*.test.{ts,mjs}', 'bench/*.test.ts'], {
        exclude: [commands, crashes],
        // These tests also wait, for timers, child processes and PostgreSQL: on two cores, four workers took 292 s and two took 325 s.
        maxWorkers: availableParallelism() + 2,
      }),
      project('commands', [commands], afterwards),
      // They are about what a disk keeps.
      project('crashes', [crashes], { ...afterwards, env: { TMPDIR: tmpdir() } }),
      project('browser', ['packages/web/e2e/*.e2e.ts'], { ...afterwards, globalSetup: ['packages/web/e2e/build.ts'] }),
    ],
  },
})
