import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildHoldfast } from '../../scripts/pack/holdfast.ts'
import type { Client } from '../http-client.ts'
import { describeCommit } from '../machine.ts'
import { findFreePort, setUp, withoutRateLimits } from '../server.ts'
import { openHttpPeer } from './http-peer.ts'
import { installFromNpm } from './install.ts'
import type { Peer } from './peer.ts'

const commit = describeCommit()

/** By store. */
const agentKeys = new Map<string, string>()

export const holdfast = createPeer({
  name: 'holdfast',
  label: 'Holdfast',
  embeddings: 'static',
  conditions: 'default settings, with the built-in model.',
})

export const holdfastWords = createPeer({
  name: 'holdfast-words',
  label: 'Holdfast without embeddings',
  embeddings: 'none',
  conditions: '`HOLDFAST_EMBEDDINGS=none`: words and links only.',
})

interface Variant {
  name: string
  label: string
  embeddings: 'static' | 'none'
  conditions: string
}

function createPeer({ name, label, embeddings, conditions }: Variant): Peer {
  return {
    name,
    installation: 'holdfast',
    label,
    version: commit,
    conditions: `the package of this commit, REST, without rate limits, ${conditions} Its first write includes the setup of an account and a key.`,
    install: installPackage,
    open: (installed, store) => openHoldfast(installed, store, embeddings),
  }
}

/** Builds the package that npm installs, and installs what it depends on. */
async function installPackage(folder: string): Promise<void> {
  const built = join(folder, 'holdfast')
  mkdirSync(built)
  await buildHoldfast(built)
  // npm would only link to a folder.
  const { stdout } = spawnSync('npm', ['pack', '--silent', built], { cwd: folder, encoding: 'utf8' })
  const packed = join(folder, stdout.trim())
  await installFromNpm(folder, [packed])
  rmSync(built, { recursive: true })
  rmSync(packed)
}

async function openHoldfast(installed: string, store: string, embeddings: string) {
  const port = await findFreePort()
  const program = join(installed, 'node_modules', 'holdfast', 'dist', 'main.js')
  const others = Object.entries(process.env).filter(([variable]) => !variable.startsWith('HOLDFAST_'))
  const env = {
    ...Object.fromEntries(others),
    HOLDFAST_DATA_DIR: join(store, 'data'),
    HOLDFAST_KEY_DIR: join(store, 'keys'),
    HOLDFAST_PORT: String(port),
    HOLDFAST_EMBEDDINGS: embeddings,
    ...withoutRateLimits,
  }
  const key = agentKeys.get(store) ?? setUp(program, env)
  agentKeys.set(store, key)
  return openHttpPeer({
    command: {
      program: process.execPath,
      args: [program, 'serve'],
      env,
      logFile: `${store}.log`,
      cwd: store,
    },
    url: `http://127.0.0.1:${port}`,
    key,
    healthPath: '/api/agent/info',
    calls,
  })
}

interface Found {
  memories: { memoryId: string; content: string }[]
}

const calls = (client: Client) => ({
  async write(content: string) {
    const { memoryId } = await client.post<{ memoryId: string }>('/api/agent/write-memory', {
      content,
      memoryType: 'episodic',
    })
    return memoryId
  },
  async read(memoryId: string) {
    const { memories } = await client.post<Found>('/api/agent/read-memories', { memoryIds: [memoryId] })
    return memories[0]?.content
  },
  async search(query: string, topK: number) {
    const { memories } = await client.post<Found>('/api/agent/search-memories', { query, topK })
    return memories.map(({ memoryId }) => memoryId)
  },
})
