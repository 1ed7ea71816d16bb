import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startTestApp } from './app.ts'
import { makeAgent, makeUser } from './factories.ts'

const page = join(import.meta.dirname, '../../../docs/first-agent.md')
const blocks = (text: string, kind: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``, 'g'))].map(([, block = '']) => block)

it('the first agent of the documentation does and prints what the page says, in each run', async () => {
  const test = await startTestApp()
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-first-agent-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const text = await readFile(page, 'utf8')
  const file = join(dir, 'gardener.mjs')
  await writeFile(file, blocks(text, 'js').join('\n'))
  const key = await makeAgent(test, await makeUser(test))
  const env = { ...process.env, HOLDFAST_URL: await test.app.listen(), HOLDFAST_KEY: key }
  const printed: string[] = []
  for (let run = 0; run < 2; run++) printed.push((await promisify(execFile)(process.execPath, [file], { env })).stdout)
  expect(printed).toEqual(blocks(text, 'text'))
  const { body } = await test.call('list-active-agents', { agentId: 'gardener' }, { key })
  expect(body.agents).toMatchObject([{ agentId: 'gardener', toolCalls: expect.any(Number) }])
  const tasks = await test.call('list-tasks', { includeDone: true }, { key })
  expect(tasks.body.tasks).toMatchObject([
    { status: 'done', assignedAgentId: 'gardener' },
    { status: 'done', assignedAgentId: 'gardener' },
  ])
})
