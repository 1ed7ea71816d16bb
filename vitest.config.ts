import { availableParallelism, tmpdir } from 'node:os'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { FigureRecorder } from './packages/server/test/promises/record.ts'
import { background, commands, crashes } from './scripts/test-groups.ts'
import { TestSummaryReporter } from './scripts/test-summary.ts'

// Long tests are those that take minutes: they run with `npm run test:long`.
const longTests = process.env['VITEST_LONG'] === '1' ? [] : ['**/*.long.{test,e2e}.ts']

// Stores what the tests of docs/promises.md measured.
const recorders = process.env['TEST_RECORD_FIGURES'] === '1' ? [new FigureRecorder()] : []

const program = 'packages/server/test/program.ts'
const withProgram = { globalSetup: [program] }

type Options = NonNullable<TestProjectInlineConfiguration['test']>

const project = (name: string, include: string[], options: Options = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, ...options },
})

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...longTests],
    // Importing the server for each file of its own would take as long as all tests: those of a worker share its modules.
    isolate: false,
    // Tests also wait, for timers, child processes and PostgreSQL. Three workers keep two cores 92% busy.
    maxWorkers: availableParallelism() + 1,
    // What takes 2 s alone may take twenty where all cores are at work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['packages/server/test/leftovers.ts'],
    globalSetup: ['packages/server/test/memory-folder.ts', 'packages/server/test/postgres.ts'],
    reporters: ['default', new TestSummaryReporter(), ...recorders],
    projects: [
      project('code', ['packages/*/{src,test}/**/*.test.ts', 'scripts/*.test.{ts,mjs}', 'bench/**/*.test.ts'], {
        exclude: [...commands, ...background, ...crashes],
      }),
      project('background', background),
      project('commands', [...commands, 'clients/*/*.long.test.ts'], withProgram),
      // They are about what a disk keeps.
      project('crashes', crashes, { env: { TMPDIR: tmpdir() }, ...withProgram }),
      project('browser', ['packages/web/e2e/*.e2e.ts'], { globalSetup: [program, 'packages/web/e2e/build.ts'] }),
    ],
  },
})
