import { configDefaults, defineConfig } from 'vitest/config'
import { TestSummaryReporter } from './scripts/test-summary.ts'

// Long tests are those that take minutes: they run with `npm run test:long`.
const longTests = process.env['VITEST_LONG'] === '1' ? [] : ['**/*.long.test.ts']

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/*.test.{ts,mjs}', 'bench/*.test.ts'],
    exclude: [...configDefaults.exclude, ...longTests],
    globalSetup: ['packages/server/test/postgres.ts'],
    reporters: ['default', new TestSummaryReporter()],
  },
})
