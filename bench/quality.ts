import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { createClient, type Client } from './http-client.ts'
import { startBenchServer } from './server.ts'
import { timeCalls } from './timed-calls.ts'

/**
 * node bench/quality.ts --set locomo-turn [--data ../shared/data] [--min-recall10 65] [--min-ndcg10 51] [--min-all10 0]
 * Writes a labelled set through HTTP, one vault a group, asks its questions and has the answers scored by the set's own
 * scorer. Items with titles are notes, asked for by search-and-read; others are memories. Exits with 1 where a figure (in
 * percent) is under its minimum.
 */
interface Item {
  id: string
  group: string
  text: string
  title?: string
  timestamp?: string
  speaker?: string
  /** The conversation that the item is a turn of. */
  parent?: string
}

interface Question {
  id: string
  group: string
  query: string
  /** When it is asked; what was said later does not count. */
  now?: string
}

interface Found {
  memories?: { memoryId: string }[]
  notes?: { noteId: string }[]
}

interface Ranked {
  query_id: string
  ids: string[]
}

/** The most that either search gives. */
const topMemories = 50
const topNotes = 10
const connections = 8

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    data: { type: 'string', default: join(dirname(import.meta.dirname), '..', 'shared', 'data') },
    'min-recall10': { type: 'string', default: '0' },
    'min-ndcg10': { type: 'string', default: '0' },
    'min-all10': { type: 'string', default: '0' },
  },
})
if (values.set === undefined) throw new TypeError('--set is missing, for example --set locomo-turn')
const dataFolder = resolve(values.data)
const setName = values.set
const items = readLines<Item>(join(dataFolder, setName, 'corpus.jsonl'))
const questions = readLines<Question>(join(dataFolder, setName, 'queries.jsonl'))

const areNotes = items.some(({ title }) => title !== undefined)

const ranked = await searchThroughServer()
const folder = mkdtempSync(join(tmpdir(), 'holdfast-quality-'))
try {
  const runFile = join(folder, 'run.jsonl')
  writeFileSync(runFile, ranked.map((line) => `${JSON.stringify(line)}\n`).join(''))
  process.stdout.write(score(runFile))
  process.exitCode = isGoodEnough(score(runFile, '--json')) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function readLines<T>(path: string): T[] {
  const text = existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`))
  return text
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

async function searchThroughServer(): Promise<Ranked[]> {
  const server = await startBenchServer('none')
  const client = createClient(server.url, server.agentKey, connections)
  try {
    const vaults = await createVaults(client)
    const start = performance.now()
    const itemIds = await writeItems(client, vaults)
    const written = performance.now()
    const answers: Ranked[] = []
    const { times } = await timeCalls(questions.length, 1, async (number) => {
      // The count is the list's length.
      answers.push(await ask(client, vaults, itemIds, questions[number] as Question))
    })
    const found = performance.now()
    process.stdout.write(
      `${items.length} items written in ${seconds(written - start)}, ${questions.length} questions answered in ` +
        `${seconds(found - written)} (p50 ${times.p50.toFixed(1)} ms, p95 ${times.p95.toFixed(1)} ms)\n`,
    )
    return answers
  } finally {
    client.close()
    await server.stop()
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

async function createVaults(client: Client): Promise<Map<string, string>> {
  const vaults = new Map<string, string>()
  for (const group of new Set([...items, ...questions].map((line) => line.group))) {
    const { vaultId } = await client.post<{ vaultId: string }>('/api/agent/create-vault', { name: group })
    vaults.set(group, vaultId)
  }
  return vaults
}

/** Groups side by side, each in the order of the corpus, so that every run has the same result. */
async function writeItems(client: Client, vaults: ReadonlyMap<string, string>): Promise<Map<string, string[]>> {
  const itemIds = new Map<string, string[]>()
  const writeGroup = async (group: string) => {
    for (const item of items) {
      if (item.group !== group) continue
      const id = await writeItem(client, item, vaults.get(group))
      // Two items become one memory where the server takes them for the same.
      itemIds.set(id, [...(itemIds.get(id) ?? []), item.id])
    }
  }
  await Promise.all([...vaults.keys()].map(writeGroup))
  return itemIds
}

async function writeItem(client: Client, item: Item, vaultId: string | undefined): Promise<string> {
  if (item.title !== undefined) {
    const note = { vaultId, title: item.title, content: item.text }
    return (await client.post<{ noteId: string }>('/api/agent/create-note', note)).noteId
  }
  const { memoryId } = await client.post<{ memoryId: string }>('/api/agent/write-memory', {
    vaultId,
    content: item.text,
    // A turn or a record of the day tells what happened, and loses a little weight as it ages.
    memoryType: 'episodic',
    agentId: item.speaker,
    agentRunId: item.parent,
    occurredAt: item.timestamp,
  })
  return memoryId
}

async function ask(
  client: Client,
  vaults: ReadonlyMap<string, string>,
  itemIds: ReadonlyMap<string, string[]>,
  question: Question,
): Promise<Ranked> {
  const vaultId = vaults.get(question.group)
  const { query } = question
  const found = areNotes
    ? await client.post<Found>('/api/agent/search-and-read', { vaultId, query, topK: topNotes })
    : await client.post<Found>('/api/agent/search-memories', { vaultId, query, topK: topMemories, asOf: question.now })
  const ids = found.notes?.map(({ noteId }) => noteId) ?? found.memories?.map(({ memoryId }) => memoryId) ?? []
  return { query_id: question.id, ids: ids.flatMap((id) => itemIds.get(id) ?? []) }
}

function score(runFile: string, ...flags: string[]): string {
  const args = [join(dataFolder, 'score.mjs'), '--set', setName, '--run', runFile, ...flags]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The scorer failed:\n${stderr}`)
  return stdout
}

function isGoodEnough(json: string): boolean {
  const { rows } = JSON.parse(json) as {
    rows: { name: string; 'recall@10': number; 'ndcg@10': number; 'all@10': number }[]
  }
  const overall = rows.find(({ name }) => name === 'overall')
  if (overall === undefined) throw new Error('The scorer gave no overall row')
  const figures = [
    { name: 'recall@10', percent: overall['recall@10'] * 100, least: Number(values['min-recall10']) },
    { name: 'nDCG@10', percent: overall['ndcg@10'] * 100, least: Number(values['min-ndcg10']) },
    { name: 'all@10', percent: overall['all@10'] * 100, least: Number(values['min-all10']) },
  ]
  const tooLow = figures.filter(({ percent, least }) => percent < least)
  for (const { name, percent, least } of tooLow)
    process.stderr.write(`${name} is ${percent.toFixed(1)}, under the minimum of ${least}\n`)
  return tooLow.length === 0
}
