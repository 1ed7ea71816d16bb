import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readSet, type LabelledSet } from '../../packages/server/test/search-quality/labelled-set.ts'
import { describeMachine, watchLoad } from '../machine.ts'
import { readNumber } from '../read-number.ts'
import { docs, keepResults, type Results } from '../results.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { aiMemory, aiMemoryKeyword } from './ai-memory.ts'
import { describePeers, describeQuality, type Measured, type PeerFigures } from './describe-peers.ts'
import { holdfast, holdfastWords } from './holdfast.ts'
import { mcpMemoryService } from './mcp-memory-service.ts'
import { countBytes } from './count-bytes.ts'
import { measureKill, measureWriters } from './measure-losses.ts'
import { asPlainTexts, measureBm25, measureQuality } from './measure-quality.ts'
import { measureSpeed } from './measure-speed.ts'
import { mem0 } from './mem0.ts'
import type { Peer } from './peer.ts'
import { serverMemory } from './server-memory.ts'

/**
 * npm run bench:peers -- [--set <folder>] [--groups 2] [--peer <name>]… [--folder <folder>] [--json] [--write]
 *
 * Installs other memory servers from their registries and measures them and Holdfast on the same work, one after the other.
 * --set: also measures quality on a labelled set, or with --groups on its first groups. --folder: keeps what it installs for the next run. --write: updates
 * docs/comparison.md. A server that can't be installed or fails gets a row that says so.
 */
const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    groups: { type: 'string', default: '1000' },
    peer: { type: 'string', multiple: true },
    folder: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const peers: readonly Peer[] = [
  holdfast,
  holdfastWords,
  serverMemory,
  mem0,
  aiMemory,
  aiMemoryKeyword,
  mcpMemoryService,
]
const chosen = choosePeers(values.peer)
const groups = readNumber('groups', values.groups, { least: 1, most: 1_000 })
const set = values.set === undefined ? undefined : asPlainTexts(readGroups(resolve(values.set)))
const folder = resolve(values.folder ?? makeTemporaryFolder())
const stores = makeTemporaryFolder()

const machine = describeMachine(tmpdir())
const describeLoad = watchLoad()
const measured: PeerFigures[] = []
for (const peer of chosen) {
  measured.push(await measurePeer(peer))
  // A run takes an hour. If it is interrupted, what it has measured is there.
  if (values.write) keepResults(docs, describeRun())
}
process.stdout.write(`${values.json ? JSON.stringify(measured) : describeRun().text}\n`)

function readGroups(path: string): LabelledSet {
  const { name, items, questions } = readSet(path)
  const first = new Set([...new Set(items.map(({ group }) => group))].slice(0, groups))
  return {
    name,
    items: items.filter(({ group }) => first.has(group)),
    questions: questions.filter(({ group }) => first.has(group)),
  }
}

function choosePeers(names: readonly string[] | undefined): readonly Peer[] {
  const unknown = names?.find((name) => !peers.some((peer) => peer.name === name))
  if (unknown !== undefined)
    throw new RangeError(`--peer takes ${peers.map(({ name }) => name).join(', ')}, not ${unknown}`)
  return names === undefined ? peers : peers.filter(({ name }) => names.includes(name))
}

async function measurePeer(peer: Peer): Promise<PeerFigures> {
  const installed = join(folder, peer.installation ?? peer.name)
  const step = async <T>(name: string, measure: (store: string) => Promise<T>): Promise<Measured<T>> => {
    process.stderr.write(`${peer.label}: ${name} …\n`)
    const store = join(stores, `${peer.name}-${name}`)
    mkdirSync(store)
    return attempt(() => measure(store))
  }
  const installedBytes = await step('installation', () => install(peer, installed))
  const then = <T>(name: string, measure: (store: string) => Promise<T>): Promise<Measured<T>> =>
    'failure' in installedBytes ? Promise.resolve(installedBytes) : step(name, measure)
  return {
    label: `${peer.label} ${peer.version}`,
    conditions: peer.conditions,
    installedBytes,
    speed: await then('speed', (store) => measureSpeed(peer, installed, store)),
    kill: await then('kill', (store) => measureKill(peer, installed, store)),
    writers: await then('writers', (store) => measureWriters(peer, installed, store)),
    ...(set !== undefined && {
      quality: await then('quality', (store) => measureQuality(peer, installed, store, set)),
    }),
  }
}

async function attempt<T>(measure: () => Promise<T>): Promise<Measured<T>> {
  try {
    return { figures: await measure() }
  } catch (error) {
    console.error(error)
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

/** Returns its size before its first start. A complete installation has a file next to it, with its version and this size. */
async function install(peer: Peer, installed: string): Promise<number> {
  const record = `${installed}.json`
  if (existsSync(record)) {
    const { version, bytes } = JSON.parse(readFileSync(record, 'utf8')) as { version: string; bytes: number }
    if (version === peer.version) return bytes
  }
  rmSync(record, { force: true })
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  await peer.install(installed)
  const bytes = countBytes(installed)
  writeFileSync(record, JSON.stringify({ version: peer.version, bytes }))
  return bytes
}

function describeRun(): Results {
  const parts = [
    machine,
    `${describeLoad()} \`${describeCommand(set)}\``,
    describePeers(measured),
    ...(set === undefined ? [] : [describeSet(set)]),
  ]
  return { page: 'comparison.md', name: 'results of other memories', text: parts.join('\n\n') }
}

function describeSet(used: LabelledSet): string {
  const storeCount = new Set(used.items.map(({ group }) => group)).size
  return (
    `Quality: ${used.questions.length} questions about ${used.items.length} texts in ${storeCount} stores. ` +
    `Plain BM25, a keyword index, on the same texts: ${describeQuality(measureBm25(used))}.`
  )
}

/** Without the reader's own folders. */
function describeCommand(used: LabelledSet | undefined): string {
  const options = [
    ...(used === undefined ? [] : [`--set ${used.name}`]),
    ...(groups === 1_000 ? [] : [`--groups ${groups}`]),
    ...(values.peer ?? []).map((name) => `--peer ${name}`),
  ]
  return ['npm run bench:peers', ...(options.length === 0 ? [] : ['--', ...options])].join(' ')
}
