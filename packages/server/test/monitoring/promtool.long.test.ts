import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, type TestContext } from 'vitest'
import { startTestApp } from '../app.ts'
import { startAgent } from '../scenarios.ts'
import { scrape } from './exposed.ts'

/** Prometheus's own opinion. */

const folder = join(import.meta.dirname, '../../../../deploy/prometheus')

const promtool = (args: readonly string[], input = '') =>
  spawnSync('promtool', args, { cwd: folder, encoding: 'utf8', input })

const skipWithoutIt = ({ skip }: TestContext) =>
  skip(promtool(['--version']).error !== undefined, 'promtool is not installed (Debian: prometheus)')

it('promtool finds nothing wrong with the metrics of a server', async (context) => {
  skipWithoutIt(context)
  const test = await startTestApp({ config: { embeddings: { provider: 'static' } } })
  const agent = await startAgent(test)
  await agent.write({ content: 'kestrels hover' })
  await agent.call('search-memories', { query: 'kestrels' })
  const { status, stdout, stderr } = promtool(['check', 'metrics'], await scrape(test))
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})

it('promtool accepts the alerts', (context) => {
  skipWithoutIt(context)
  expect(promtool(['check', 'rules', 'alerts.yaml'])).toMatchObject({ status: 0 })
})

it('each alert fires for what it is about, and none for a healthy server', (context) => {
  skipWithoutIt(context)
  expect(promtool(['test', 'rules', 'alerts.test.yaml'])).toMatchObject({ status: 0 })
})
