import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../packages/web/e2e/browser.ts'
import { createCorpus } from '../corpus.ts'
import { createClient } from '../http-client.ts'
import { describeMachine, watchLoad } from '../machine.ts'
import { readNumber } from '../read-number.ts'
import { report } from '../results.ts'
import { startBenchServer, type BenchServer } from '../server.ts'
import { table } from '../table.ts'
import { sampleCalls } from '../timed-calls.ts'
import { installProbe, slowMs } from './in-page.ts'
import { sumShifts, timeInputs, timePageChanges, type Timed } from './measure.ts'

/**
 * node bench/dashboard/run.ts [--size 100000] [--rounds 10] [--write]
 * Fills a vault, opens the dashboard in Chromium and measures how fast it responds. --write: updates docs/benchmarks.md.
 */
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
})
const size = readNumber('size', values.size, { least: 100, most: 1_000_000 })
const rounds = readNumber('rounds', values.rounds, { least: 1, most: 100 })
const seed = 20_261_126

const describeLoad = watchLoad()
const server = await startBenchServer({ embeddings: 'none' })
try {
  process.stderr.write(`${size} memories …\n`)
  await fillVault(server)
  const { browser, page } = await openBrowser()
  try {
    await page.addInitScript(installProbe, slowMs)
    await signIn(page, server.url)
    process.stderr.write('Pages …\n')
    const pages = await timePageChanges(page, rounds)
    process.stderr.write('Inputs …\n')
    const inputs = await timeInputs(page, server.url, rounds * 2)
    process.stderr.write('Shifts …\n')
    const shifts = await sumShifts(page, server.url)
    report({ name: 'results of the dashboard', text: describe(pages, inputs, shifts, browser.version()) }, values.write)
  } finally {
    await browser.close()
  }
} finally {
  await server.stop()
}

async function fillVault({ url, agentKey }: BenchServer): Promise<void> {
  const corpus = createCorpus(seed)
  const client = createClient(url, agentKey, 16)
  try {
    await sampleCalls(size, 16, (number) => client.post('/api/agent/write-memory', corpus.memoryAt(number)))
    for (let number = 0; number < 60; number++) {
      const { content, agentId } = corpus.memoryAt(size + number)
      const title = content.slice(0, 60)
      await client.post('/api/agent/create-task', { title, description: content, agentId })
      await client.post('/api/agent/create-note', { title: `${number} ${title}`, content, agentId })
      await client.post('/api/agent/send-message', { targetId: 'user', targetType: 'user', title, content, agentId })
    }
  } finally {
    client.close()
  }
}

/** As a person does, which leaves the session where the dashboard expects it. */
async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill('bench@example.org')
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Needs your attention' }).waitFor()
  // What the dashboard loads for later has arrived.
  await page.waitForTimeout(5_000)
}

function describe(
  pages: readonly Timed[],
  inputs: readonly Timed[],
  shifts: readonly { path: string; shift: number }[],
  browserVersion: string,
): string {
  const rows = (timed: readonly Timed[]) =>
    timed.map(({ name, times: { count, p50, p95 } }) => [name, String(count), p50.toFixed(0), p95.toFixed(0)])
  const shiftRows = shifts.toSorted((a, b) => b.shift - a.shift).map(({ path, shift }) => [path, shift.toFixed(3)])
  return [
    `${describeMachine(tmpdir())} · Chromium ${browserVersion}`,
    `${size.toLocaleString('en')} memories in the vault. ${describeLoad()}`,
    table(['page', 'n', 'p50 ms', 'p95 ms'], rows(pages)),
    table(['input', 'n', 'p50 ms', 'p95 ms'], rows(inputs)),
    table(['page', 'layout shift'], shiftRows),
  ].join('\n\n')
}
