import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findOverdue } from './dependencies/advisories.ts'
import { root } from './checks.ts'

const path = '/-/npm/v1/security/advisories/bulk'

/** A registry that knows these advisories, or answers each question about advisories with a status. */
async function startRegistry(
  answer: Record<string, object[]> | number,
): Promise<{ url: string; asked: Record<string, string[]>[] }> {
  const asked: Record<string, string[]>[] = []
  const listen: RequestListener = (request, response) => {
    if (request.url !== path || typeof answer === 'number') {
      response.writeHead(typeof answer === 'number' ? answer : 404).end()
      return
    }
    void json(request.pipe(createGunzip())).then((body) => {
      asked.push(body as Record<string, string[]>)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  }
  const server = createServer(listen).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Runs the audit of this repository's lock file as `npm run audit` does. npm caches advisories, so each run gets a cache of its own. */
async function audit(registry: string) {
  const cache = mkdtempSync(join(tmpdir(), 'holdfast-audit-'))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  const child = spawn(process.execPath, [join(root, 'scripts', 'audit.ts')], {
    env: { ...process.env, npm_config_registry: registry, npm_config_cache: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, warned] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, printed, warned }
}

const advisory = (severity: string, range: string) => ({
  id: 1,
  url: 'https://advisories.example/GHSA-aaaa-bbbb-cccc',
  title: 'Reads one byte too many',
  severity,
  vulnerable_versions: range,
})

describe('the audit', () => {
  it('asks about the versions in the lock file, and passes if nothing is known', async () => {
    const { url, asked } = await startRegistry({})
    const { code, printed } = await audit(url)
    expect([code, printed]).toEqual([0, expect.stringMatching(/^0 known vulnerabilities/)])
    expect(asked[0]?.['fastify']).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
    // Also about tools.
    expect(asked[0]?.['vitest']).toHaveLength(1)
  })

  it('fails if a version has a serious vulnerability', async () => {
    const { url } = await startRegistry({ fastify: [advisory('critical', '>=1.0.0')] })
    const { code, printed, warned } = await audit(url)
    expect(code).toBe(1)
    expect(printed).toMatch(/^critical\s+fastify >=1\.0\.0: Reads one byte too many\n\s+https:\/\/advisories\.example/)
    expect(warned).toMatch(/^Update: fastify\./)
  })

  it('reports a moderate one, and ignores what other versions have', async () => {
    const { url } = await startRegistry({
      fastify: [advisory('moderate', '>=1.0.0')],
      zod: [advisory('critical', '<1.0.0')],
    })
    const { code, printed } = await audit(url)
    expect([code, printed]).toEqual([
      0,
      expect.stringMatching(/^moderate {2}fastify[^]*\n1 known vulnerabilities, 0 of them/),
    ])
  })

  it.each([405, 500])('says that it could not ask if the registry answers %d', async (status) => {
    const { url } = await startRegistry(status)
    const { code, warned } = await audit(url)
    expect([code, warned]).toEqual([
      3,
      expect.stringMatching(new RegExp(`^WARNING: dependencies were not checked.*${status}`)),
    ])
  })

  it('says so too if there is no registry', async () => {
    const { code, warned } = await audit('http://127.0.0.1:9')
    expect([code, warned]).toEqual([3, expect.stringMatching(/^WARNING: dependencies were not checked/)])
  })
})

describe('a serious vulnerability', () => {
  const now = Date.parse('2026-11-26T12:00:00Z')
  const found = (id: string, severity = 'high') => ({ id, name: 'a', severity, title: '', url: '', range: '*' })

  it('can wait a week from the day on which somebody looked at it', () => {
    const all = [found('new'), found('looked-at'), found('old')]
    const accepted = [
      { id: 'looked-at', foundOn: '2026-11-20', why: 'not reached' },
      { id: 'old', foundOn: '2026-11-19', why: 'not reached' },
    ]
    expect(findOverdue(all, accepted, now).map(({ id }) => id)).toEqual(['new', 'old'])
  })

  it('is one of severity high or critical', () => {
    const all = ['info', 'low', 'moderate', 'high', 'critical'].map((severity) => found(severity, severity))
    expect(findOverdue(all, [], now).map(({ id }) => id)).toEqual(['high', 'critical'])
  })
})
