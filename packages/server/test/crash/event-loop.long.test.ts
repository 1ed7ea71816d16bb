import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { measured, scaled } from '../promises/measured.ts'
import { agentOf, send, type Agent } from './agent.ts'
import { setUp, siteFor, startServer, tempDir, type Account, type RunningServer } from './server-process.ts'

const watcher = pathToFileURL(join(import.meta.dirname, 'loop-watcher.ts')).href
const textChars = 100_000

const vocabulary = Array.from(
  { length: 5_000 },
  (_, at) =>
    `${['an', 'be', 'cor', 'du', 'er'][at % 5] ?? ''}${at.toString(36)}${['ing', 'ed', 's', ''][at % 4] ?? ''}`,
)

/** Sentences and paragraphs of words that repeat as in a language: few often, most rarely. */
function makeText(): string {
  let text = ''
  for (let word = 0; text.length < textChars; word++) {
    const rank = Math.floor(vocabulary.length ** Math.random()) - 1
    text += `${vocabulary[rank] ?? ''}${word % 60 === 59 ? '.\n\n' : word % 12 === 11 ? '. ' : ' '}`
  }
  return text.slice(0, textChars)
}

/** A few words that some texts contain. */
const makeQuestion = () => Array.from({ length: 4 }, () => vocabulary[Math.floor(Math.random() * 300)]).join(' ')

interface Load {
  server: RunningServer
  account: Account
  agent: Agent
}

const asPerson = ({ server, account }: Load, method: string, path: string, body?: object) =>
  send(server, account.dashboardToken, path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })

async function exportPages(load: Load, kind: 'memory' | 'note'): Promise<number> {
  let [after, status, pages] = ['', 200, 0]
  do {
    const query = new URLSearchParams({ vaultId: load.account.vaultId, kind, after })
    const page = await asPerson(load, 'GET', `/api/exports/records?${query.toString()}`)
    after = typeof page.body['next'] === 'string' ? page.body['next'] : ''
    status = page.status
    pages++
  } while (after !== '' && pages < 5)
  return status
}

const importRecords = async (load: Load): Promise<number> => {
  const texts = Array.from({ length: 10 }, makeText)
  const records = texts.flatMap((content, at) => [
    { kind: 'memory', content },
    { kind: 'note', title: `Imported ${newId()} ${at}`, content },
  ])
  const body = { vaultId: load.account.vaultId, importId: newId(), records }
  return (await asPerson(load, 'POST', '/api/imports/records', body)).status
}

/** What each client does, again and again. */
const clients: ((load: Load) => Promise<number>)[] = [
  async ({ agent }) => (await agent('write-memory', { content: makeText() })).status,
  async ({ agent }) => (await agent('write-memory', { content: makeText(), dedup: true })).status,
  async ({ agent }) => (await agent('create-note', { title: `Note ${newId()}`, content: makeText() })).status,
  async ({ agent }) => (await agent('search-memories', { query: makeQuestion() })).status,
  async ({ agent }) => (await agent('search-and-read', { query: makeQuestion() })).status,
  async ({ agent }) => (await agent('session-start', { query: makeQuestion() })).status,
  importRecords,
  (load) => exportPages(load, 'memory'),
  (load) => exportPages(load, 'note'),
]

/** How many delays there were so far, by milliseconds. Waits for a new report. */
async function readCounts(file: string): Promise<number[]> {
  rmSync(file, { force: true })
  while (!existsSync(file)) await sleep(50)
  return JSON.parse(readFileSync(file, 'utf8')) as number[]
}

function describeDelays(counts: readonly number[]) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const within = (share: number) => {
    let left = total * share
    return counts.findIndex((count) => (left -= count) <= 0)
  }
  return { total, p50: within(0.5), p99: within(0.99), longest: counts.findLastIndex((count) => count > 0) }
}

it('no request keeps the server from answering others for long', { timeout: 600_000 }, async () => {
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  const account = await setUp(site)
  const file = join(tempDir(), 'delays.json')
  site.env = {
    ...site.env,
    NODE_OPTIONS: `--import ${watcher}`,
    LOOP_DELAYS: file,
  }
  const server = await startServer(site)
  const load = { server, account, agent: agentOf(server, account.agentKey) }
  // Without the start, which loads the program.
  const before = await readCounts(file)
  const until = performance.now() + Math.max(5_000, scaled(120_000))
  const statuses = new Map<number, number>()
  const callUntilEnd = async (client: (load: Load) => Promise<number>) => {
    while (performance.now() < until) {
      const status = await client(load)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(clients.map(callUntilEnd))
  const counts = (await readCounts(file)).map((count, ms) => count - (before[ms] ?? 0))
  await server.kill('SIGTERM')
  const { total, p50, p99, longest } = describeDelays(counts)
  const calls = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  expect(calls - (statuses.get(503) ?? 0)).toBeGreaterThan(0.9 * calls)
  expect(total).toBeGreaterThan(100)
  expect(p99).toBeLessThanOrEqual(50)
  measured({ calls, 'delays measured': total, 'p50, in ms': p50, 'p99, in ms': p99, 'longest, in ms': longest })
})
