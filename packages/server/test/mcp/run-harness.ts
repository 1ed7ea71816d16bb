import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The protocol's own harness, run as its authors say: each scenario that a revision requires, at that revision's wire version. */

const harness = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/conformance')

export type Revision = '2025-11-25' | '2026-07-28'

export interface Report {
  /** Required scenarios that were run, in the harness's order. */
  scenarios: string[]
  /** Checks that failed or warned, by scenario, sorted. */
  failed: Record<string, string[]>
  /** What the harness says about each, for people. */
  messages: string
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

export async function runHarness(url: string, revision: Revision): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-conformance-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder]
  const child = spawn(process.execPath, [join(harness, 'dist/index.js'), ...args], { stdio: 'ignore' })
  await new Promise((resolve) => child.on('close', resolve))
  const results = await readdir(folder)
  const report: Report = { scenarios: [], failed: {}, messages: '' }
  for (const scenario of await listRequired(revision)) {
    const result = results.find((name) => new RegExp(`^server-${scenario}-\\d{4}-\\d\\d-\\d\\dT`).test(name))
    if (result === undefined) continue
    const checks = JSON.parse(await readFile(join(folder, result, 'checks.json'), 'utf8')) as Check[]
    const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    report.scenarios.push(scenario)
    if (bad.length > 0) report.failed[scenario] = bad.map(({ id }) => id).toSorted()
    for (const { id, errorMessage } of bad) report.messages += `${scenario}, ${id}: ${errorMessage}\n`
  }
  return report
}

/** The scenarios for servers that count for a revision. The harness runs others too, which its own list excludes. */
export async function listRequired(revision: Revision): Promise<string[]> {
  const text = await readFile(join(harness, `requirements/${revision}.yaml`), 'utf8')
  const block = /^server:\n((?: .*\n|\n)+)/m.exec(text)?.[1] ?? ''
  return [...block.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name)
}
