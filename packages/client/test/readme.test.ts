import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeUser } from '../../server/test/factories.ts'
import { programs } from '../../../scripts/checks.ts'
import { methodNames } from '../src/generated/routes.ts'
import { startAnsweringServer } from './answering-server.ts'
import { agentModel, aiModel, claudeAnswers } from './example-models.ts'
import { useService } from './service.ts'
import { typeCheck } from './type-check.ts'

const examples = join(import.meta.dirname, '../examples')
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const blocks = [...readme.matchAll(/```ts\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/g)].map(
  ([, code = '', output = '']) => ({
    code,
    output,
    title: code.split('\n').find((line) => line !== '' && !line.startsWith('import')) ?? '',
  }),
)

describe('the examples of the README', () => {
  const service = useService()
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-readme-'))
  const examplePath = (at: number) => join(folder, `example-${at}.ts`)
  symlinkSync(programs, join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'model.ts'), aiModel + agentModel)
  for (const [at, { code }] of blocks.entries()) writeFileSync(examplePath(at), code)
  afterAll(() => rmSync(folder, { recursive: true }))

  it('are all found', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(10)
    expect(blocks.length).toBe(readme.match(/^```(ts|js|typescript|javascript)$/gm)?.length)
  })

  it('contain all files in examples/ that run with what is installed here', () => {
    const names = globSync('*.ts', { cwd: examples }).filter((name) => !/^(mastra|voltagent)/.test(name))
    expect(names.length).toBeGreaterThanOrEqual(5)
    for (const name of names) {
      const [code = '', printed = ''] = readFileSync(join(examples, name), 'utf8').split('\n// Prints:\n')
      const output = printed.replaceAll(/^\/\/ /gm, '')
      expect(blocks, name).toContainEqual(expect.objectContaining({ code, output }))
    }
  })

  it.each(blocks.map(({ title, output }, at) => ({ at, title, output })))(
    'run and print what it says: $title',
    async ({ at, output }) => {
      await using anthropic = await startAnsweringServer(...claudeAnswers)
      const user = await makeUser(service().test)
      const env = {
        ...process.env,
        HOLDFAST_URL: service().url,
        HOLDFAST_KEY: await service().makeKey(user),
        HOLDFAST_TOKEN: user.dashboardToken,
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: anthropic.url,
        OPENAI_AGENTS_DISABLE_TRACING: '1',
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
      }
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [examplePath(at)], { env, cwd: folder })
      expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' })
    },
  )

  it('type-check', () => {
    const files = blocks.map((_, at) => examplePath(at))
    expect(typeCheck(folder, files, 'node')).toBe('')
  })

  it('answer a webhook correctly', async () => {
    const at = blocks.findIndex(({ code }) => code.includes('webhooks.verify'))
    const { POST } = (await import(pathToFileURL(examplePath(at)).href)) as {
      POST(request: Request): Promise<Response>
    }
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    vi.stubEnv('HOLDFAST_WEBHOOK_SECRET', secret)
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    onTestFinished(() => {
      vi.unstubAllEnvs()
      log.mockRestore()
    })
    const body = JSON.stringify({ event: 'message.acknowledged', messageId: 'm1', acknowledgedBy: 'cook' })
    const now = new Date()
    const headers = {
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('e1', now, body),
    }
    const post = (text: string) => POST(new Request('http://here.invalid', { method: 'POST', body: text, headers }))
    expect((await post(body)).status).toBe(204)
    expect(log.mock.calls).toEqual([['cook has read m1']])
    expect((await post(`${body} `)).status).toBe(401)
  })
})

it('the README lists each method under its noun', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+) +\|$/gm)].map(([, noun, methods = '']) => [
    noun,
    [...methods.matchAll(/\w+/g)].map(([name]) => name),
  ])
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(methodNames).map(([noun, methods]) => [noun, Object.keys(methods)])),
  )
})
