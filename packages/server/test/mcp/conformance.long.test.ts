import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { startKeyedProxy } from './keyed-proxy.ts'
import { startStdioGateway } from './stdio-gateway.ts'

/**
 * The protocol's own harness, with the scenarios that each revision requires. Many of them call tools, read resources or get
 * prompts that only the suite's example server has, or try features that this server does not declare: these can only fail
 * here. They are named, and all others must pass.
 */

const root = join(import.meta.dirname, '../../../..')
const harness = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const main = join(root, 'packages/server/src/main.ts')

const ofExamples = [
  'completion-complete',
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-with-image',
  'resources-read-binary',
  'resources-read-text',
  'resources-templates-read',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-error',
  'tools-call-image',
  'tools-call-mixed-content',
  'tools-call-simple-text',
  'tools-call-with-progress',
]

const required = {
  '2025-11-25': {
    passed: [
      'dns-rebinding-protection',
      'ping',
      'prompts-list',
      'resources-list',
      'server-initialize',
      'server-sse-multiple-streams',
      'tools-list',
    ],
    ofExamples: [
      ...ofExamples,
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'logging-set-level',
      'resources-subscribe',
      'resources-unsubscribe',
      'tools-call-elicitation',
      'tools-call-sampling',
      'tools-call-with-logging',
    ],
  },
  '2026-07-28': {
    passed: [
      'caching',
      'dns-rebinding-protection',
      'input-required-result-ignore-extra-params',
      'input-required-result-missing-input-response',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'prompts-list',
      'resources-list',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'tools-list',
    ],
    ofExamples: [
      ...ofExamples,
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-capability-check',
      'input-required-result-multi-round',
      'input-required-result-multiple-input-requests',
      'input-required-result-non-tool-request',
      'input-required-result-request-state',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      // Four of its checks are of example tools; the others pass, which is asked below.
      'server-stateless',
    ],
  },
} as const

type Revision = keyof typeof required

interface Report {
  passed: string[]
  failed: string[]
  output: string
}

/** Scenarios that count for the revision; others that the harness runs as well are left out. */
async function runHarness(url: string, revision: Revision): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-conformance-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const args = [harness, 'server', '--url', url, '--requirements', revision]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise((resolve) => child.on('close', resolve))
  const [summary = '', unscored = ''] = output.slice(output.indexOf('=== SUMMARY ===')).split('Not scored')
  const ignored = new Set([...unscored.matchAll(/^ {2}[✓✗] (\S+) /gm)].map(([, name = '']) => name))
  const counted = [...summary.matchAll(/^([✓✗]) (\S+): /gm)].filter(([, , name = '']) => !ignored.has(name))
  const named = (wanted: string) => counted.flatMap(([, mark, name = '']) => (mark === wanted ? [name] : [])).toSorted()
  return { passed: named('✓'), failed: named('✗'), output }
}

const onlyHttp = 'dns-rebinding-protection'

describe.each(Object.keys(required) as Revision[])('the harness of %s', { timeout: 300_000 }, (revision) => {
  const { passed, ofExamples: examples } = required[revision]

  it('passes over HTTP where it asks for no examples of its own', async () => {
    const test = await startTestApp()
    const { key } = await makeUserWithAgent(test)
    await using proxy = await startKeyedProxy(await test.app.listen(), key)
    const report = await runHarness(`${proxy.url}/mcp`, revision)
    expect(report.passed, report.output).toEqual([...passed])
    expect(report.failed).toEqual(examples.toSorted())
  })

  it('passes over stdio likewise, but for what only HTTP has', async () => {
    const test = await startTestApp()
    const { key } = await makeUserWithAgent(test)
    const env = { PATH: process.env['PATH'], HOLDFAST_URL: await test.app.listen(), HOLDFAST_KEY: key }
    await using gateway = await startStdioGateway([main, 'mcp'], env)
    const report = await runHarness(`${gateway.url}/mcp`, revision)
    expect(report.passed, report.output).toEqual(passed.filter((name) => name !== onlyHttp))
    expect(report.failed).toEqual([...examples, onlyHttp].toSorted())
  })
})

it('needs no session: of that scenario all but the examples passes', { timeout: 120_000 }, async () => {
  const test = await startTestApp()
  const { key } = await makeUserWithAgent(test)
  await using proxy = await startKeyedProxy(await test.app.listen(), key)
  const args = ['--scenario', 'server-stateless', '--spec-version', '2026-07-28', '--verbose']
  const child = spawn(process.execPath, [harness, 'server', '--url', `${proxy.url}/mcp`, ...args])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise((resolve) => child.on('close', resolve))
  interface Check {
    id: string
    status: string
    details?: { untestable?: boolean }
  }
  const checks = JSON.parse(/^\[$[^]*?^\]$/m.exec(output)?.[0] ?? '[]') as Check[]
  expect(checks.length).toBeGreaterThan(20)
  expect(checks.filter(({ status, details }) => status === 'FAILURE' && details?.untestable !== true)).toEqual([])
})
