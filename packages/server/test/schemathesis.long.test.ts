import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { openApiDocument } from '../src/api/openapi.ts'
import { routes } from '../src/api/registry.ts'
import { useTestApp } from './app.ts'
import { makeUserWithAgent } from './factories.ts'

/** Schemathesis makes requests from the OpenAPI document and compares what the server answers with it. Skipped where it can't be had. */

/**
 * Left out: `positive_data_acceptance`, because rules about two fields, such as "folderId or folderPath, not both", are in no schema;
 * `negative_data_rejection`, because the server ignores fields that it doesn't know; and what other tests cover for each route: methods,
 * headers and credentials.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

let folder: string
const execute = promisify(execFile)
const test = useTestApp()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-schemathesis-'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(routes, '0.1.0')))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (command: string, ...args: string[]) => execute(command, args, { cwd: folder, maxBuffer: 256 * 2 ** 20 })

async function installOrSkip(ctx: TestContext): Promise<void> {
  try {
    await run('python3', '-m', 'venv', 'venv')
    await run('venv/bin/pip', 'install', '--quiet', 'schemathesis==4.32.5')
  } catch (error) {
    ctx.skip(`Schemathesis cannot be installed here: ${String(error).slice(-500)}`)
  }
}

it("agents' routes answer as the OpenAPI document says", { timeout: 1_200_000 }, async (ctx) => {
  await installOrSkip(ctx)
  const { key } = await makeUserWithAgent(test())
  const caller = ['--url', await test().app.listen(), '--header', `Authorization: Bearer ${key}`]
  const extent = ['--include-tag', 'agent', '--phases', 'examples,fuzzing', '--max-examples', '5']
  const form = ['--checks', checks.join(','), '--continue-on-failure', '--warnings', 'off', '--no-color']
  const { stdout } = await run('venv/bin/schemathesis', 'run', 'openapi.json', ...caller, ...extent, ...form).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toContain('No issues found')
})
