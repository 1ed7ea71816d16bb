import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../../scripts/build-client.ts'
import { programs } from '../../../scripts/checks.ts'

/** The package, built as for publishing. */
describe('the published package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-package-'))
  const built = join(folder, 'client')
  const user = join(folder, 'user')

  beforeAll(() => {
    buildClient(built)
    mkdirSync(join(user, 'node_modules/@holdfast'), { recursive: true })
    symlinkSync(built, join(user, 'node_modules/@holdfast/client'), 'junction')
    writeFileSync(join(user, 'package.json'), '{ "type": "module" }')
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: built, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  it('contains no sources, tests or dependencies', () => {
    const files = globSync('**/*.*', { cwd: built }).filter((file) => !/\.(js|d\.ts)$/.test(file))
    expect(files.toSorted()).toEqual(['README.md', 'package.json'])
    const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(private|dependencies)$/)]),
    )
  })

  const bundle = async (entry: string) => {
    const imported = new Set<string>()
    const external = (id: string) => !/^[./]/.test(id) && imported.add(id) !== undefined
    const bundled = await rolldown({ input: join(built, 'dist', `${entry}.js`), external, platform: 'browser' })
    const { output } = await bundled.generate({ format: 'esm', minify: true })
    return { bytes: Buffer.byteLength(output[0].code), imported: [...imported] }
  }

  it('runs without other packages and is no larger than its README says', async () => {
    const { bytes, imported } = await bundle('index')
    const readme = readFileSync(join(built, 'README.md'), 'utf8')
    const promised = Number(/less than (\d+) KB minified/.exec(readme)?.[1]) * 1000
    expect(imported).toEqual([])
    expect(bytes).toBeGreaterThan(5000)
    expect(bytes).toBeLessThan(promised)
    expect(promised).toBeLessThanOrEqual(30_000)
  })

  it.each([
    ['ai-sdk', ['ai']],
    ['anthropic', []],
    ['dashboard', []],
    ['langchain', ['chat_history', 'documents', 'messages', 'retrievers'].map((name) => `@langchain/core/${name}`)],
    ['langgraph', ['@langchain/langgraph-checkpoint']],
    ['mastra', ['@mastra/core/storage']],
    ['openai-agents', []],
    ['voltagent', []],
  ])('has an adapter %s that needs %j alone', async (entry, needed) => {
    const { bytes, imported } = await bundle(entry)
    expect(imported.toSorted()).toEqual(needed)
    // The dashboard entry is the largest, because it has a route per operation.
    expect(bytes).toBeLessThan(25_000)
  })

  it('can be imported and required', () => {
    const run = (type: string, code: string) =>
      spawnSync(process.execPath, [`--input-type=${type}`, '-e', code], { cwd: user, encoding: 'utf8' }).stdout
    const print = 'console.log(typeof createClient, typeof webhooks.verify)'
    expect(run('module', `import { createClient, webhooks } from '@holdfast/client'; ${print}`)).toBe(
      'function function\n',
    )
    expect(run('commonjs', `const { createClient, webhooks } = require('@holdfast/client'); ${print}`)).toBe(
      'function function\n',
    )
  })

  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])(
    'has types for %s, without those of Node',
    (moduleResolution, module) => {
      writeFileSync(
        join(user, 'user.ts'),
        `import { createClient, BadRequestError, type Task, type WebhookEvent } from '@holdfast/client'
       const client = createClient({ url: 'http://127.0.0.1:8420', key: 'svc_x' })
       for await (const task of client.tasks.list({ status: ['todo'] })) { const t: Task = task; t.title.length }
       const { data, requestId } = await client.memories.search({ query: 'x' }).withResponse()
       const scores: number[] = data.memories.map(({ score }) => score); scores.at(requestId?.length ?? 0)
       export const fieldsOf = (error: unknown) => (error instanceof BadRequestError ? error.fields : {})
       export const isAcked = (event: WebhookEvent) => event.event === 'message.acknowledged' && event.acknowledgedBy
       // @ts-expect-error -- query is required
       void client.memories.search({})
       // @ts-expect-error -- a write is not paged
       for await (const memory of client.memories.write({ content: 'x' })) void memory
       // @ts-expect-error -- unknown operation
       void client.call('no-such-operation', {})
      `,
      )
      const compiler = join(programs, 'typescript/bin/tsc')
      const libraries = ['--target', 'es2022', '--lib', 'es2022,dom,dom.asynciterable', '--types', '']
      const resolution = ['--module', module, '--moduleResolution', moduleResolution]
      const { stdout, status } = spawnSync(
        process.execPath,
        [compiler, 'user.ts', '--ignoreConfig', '--strict', '--noEmit', ...libraries, ...resolution],
        { cwd: user, encoding: 'utf8' },
      )
      expect(stdout).toBe('')
      expect(status).toBe(0)
    },
    60_000,
  )
})
