import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { TestSummaryReporter } from './scripts/test-summary.ts'

// Long tests are those that take minutes: they run with `npm run test:long`.
const longTests = process.env['VITEST_LONG'] === '1' ? [] : ['**/*.long.test.ts']

export default defineConfig({
  test: {
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      'packages/web/e2e/*.e2e.ts',
      'scripts/*.test.{ts,mjs}',
      'bench/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, ...longTests],
    // Left to itself, Vitest uses half the cores: of two, one.
    maxWorkers: availableParallelism(),
    // What takes 2 s alone may take twenty where all cores are at work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['packages/server/test/postgres.ts'],
    reporters: ['default', new TestSummaryReporter()],
  },
})
