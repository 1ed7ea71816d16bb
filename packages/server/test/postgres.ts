// Global setup of the test run: one PostgreSQL for all test files, which create their own databases in it (dialects.ts).

import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedServer } from './embedded-postgres.ts'
import { memory } from './memory-folder.ts'

/** For the tests: where to create databases and the prefix of their names, or why there is no server. */
export type TestPostgres = { url: string; prefix: string; isInMemory: boolean } | { missing: string }

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres
  }
}

/**
 * Uses the server of TEST_DATABASE_URL (its user must be allowed to create databases), else starts one. Without any, the tests on
 * PostgreSQL are skipped and the summary says so; with CI set the run fails.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const prefix = `holdfast_test_${randomBytes(4).toString('hex')}_`
  if (given !== undefined) {
    project.provide('postgres', { url: given, prefix, isInMemory: false })
    await dropDatabases(given, prefix)
    return () => dropDatabases(given, prefix)
  }
  try {
    const server = await startEmbeddedServer()
    project.provide('postgres', { url: server.url, prefix, isInMemory: tmpdir().startsWith(memory) })
    return () => server.stop()
  } catch (error) {
    if (process.env['CI']) throw error
    project.provide('postgres', { missing: error instanceof Error ? error.message : 'no server' })
    return async () => {}
  }
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    await Promise.all(rows.map(({ name }) => client.query(`drop database "${name}" with (force)`)))
  } finally {
    await client.end()
  }
}
