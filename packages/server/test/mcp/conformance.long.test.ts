import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { addExamples } from './example-server.ts'
import { startKeyedProxy } from './keyed-proxy.ts'
import { listRequired, runHarness, type Revision } from './run-harness.ts'
import { startStdioGateway } from './stdio-gateway.ts'

/**
 * The servers under test are those of the product, plus the examples that the harness calls. Each check that cannot pass is named with
 * its reason; all others must pass.
 */

/** Failing checks, by scenario. */
type Exceptions = Record<string, string[]>

/**
 * Over HTTP there are no sessions, so any process can answer any request. In the earlier revision a question to the client is a request
 * by the server, answered in another request of the same session. In the later revision it is a result, and passes. The service itself
 * asks its clients nothing.
 */
const needsSessions: Exceptions = {
  'tools-call-sampling': ['tools-call-sampling'],
  'tools-call-elicitation': ['tools-call-elicitation'],
  'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
  'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
}

/** A warning, not a failure: without a session the harness of the earlier revision does not try several streams at once. */
const hasNoSession: Exceptions = { 'server-sse-multiple-streams': ['server-sse-multiple-streams-session'] }

/** Pipes have no host or origin that could be foreign. */
const hasNoHost: Exceptions = { 'dns-rebinding-protection': ['localhost-host-rebinding-rejected'] }

/** Pipes have no statuses: the codes inside are correct, but the harness also expects HTTP statuses. */
const statuses = [
  'sep-2575-http-server-header-mismatch-400',
  'sep-2575-http-server-meta-invalid-400',
  'sep-2575-http-server-meta-invalid-400',
  'sep-2575-http-server-meta-invalid-400',
  'sep-2575-http-server-method-not-found-404',
  'sep-2575-http-server-method-not-found-404-initialize',
  'sep-2575-http-server-method-not-found-404-logging-setlevel',
  'sep-2575-http-server-method-not-found-404-ping',
  'sep-2575-http-server-method-not-found-404-resources-subscribe',
  'sep-2575-http-server-method-not-found-404-resources-unsubscribe',
  'sep-2575-http-server-unsupported-version-400',
  'sep-2575-missing-capability-http-400',
]

/** Over pipes, the SDK looks only at the revision in the first message, as the last test here shows. */
const unsupportedVersion = 'sep-2575-server-unsupported-version-error'

const exceptions: Record<Revision, { http: Exceptions; stdio: Exceptions }> = {
  '2025-11-25': { http: { ...needsSessions, ...hasNoSession }, stdio: { ...hasNoSession, ...hasNoHost } },
  '2026-07-28': { http: {}, stdio: { ...hasNoHost, 'server-stateless': [...statuses, unsupportedVersion] } },
}

const bridge = join(import.meta.dirname, 'example-bridge.ts')

const request = (id: string, method: string, revision: string) => {
  const said = {
    protocolVersion: revision,
    clientInfo: { name: 'test-host', version: '1.0.0' },
    clientCapabilities: {},
  }
  const named = Object.entries(said).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value])
  return { jsonrpc: '2.0', id, method, params: { _meta: Object.fromEntries(named) as object } }
}

describe.each(Object.keys(exceptions) as Revision[])('the harness of %s', { timeout: 120_000 }, (revision) => {
  it('passes over HTTP', async () => {
    const test = await startTestApp({ extendMcp: addExamples })
    const { key } = await makeUserWithAgent(test)
    await using proxy = await startKeyedProxy(await test.app.listen(), key)
    const { scenarios, failed, messages } = await runHarness(`${proxy.url}/mcp`, revision)
    expect(failed, messages).toEqual(exceptions[revision].http)
    expect(scenarios).toEqual(await listRequired(revision))
  })

  it('passes over stdio', async () => {
    const test = await startTestApp()
    const { key } = await makeUserWithAgent(test)
    const env = { PATH: process.env['PATH'], HOLDFAST_URL: await test.app.listen(), HOLDFAST_KEY: key }
    const opening = revision === '2026-07-28' ? request('opening', 'prompts/list', revision) : undefined
    await using gateway = await startStdioGateway([bridge], env, opening)
    const { scenarios, failed, messages } = await runHarness(`${gateway.url}/mcp`, revision)
    expect(failed, messages).toEqual(exceptions[revision].stdio)
    expect(scenarios).toEqual(await listRequired(revision))
  })
})

it('over stdio, a first message with an unknown revision gets the list of known ones', async () => {
  const env = { PATH: process.env['PATH'], HOLDFAST_URL: 'http://127.0.0.1:1', HOLDFAST_KEY: 'none' }
  await using gateway = await startStdioGateway([bridge], env)
  const answer = await fetch(gateway.url, {
    method: 'POST',
    body: JSON.stringify(request('first', 'server/discover', 'v999.0.0')),
  })
  expect(await answer.json()).toMatchObject({
    id: 'first',
    error: { code: -32_022, data: { supported: ['2026-07-28'], requested: 'v999.0.0' } },
  })
})
