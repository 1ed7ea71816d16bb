import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../http-client.ts'
import { findFreePort } from '../server.ts'
import { openHttpPeer, unlessMissing } from './http-peer.ts'
import { installFromCrates } from './install.ts'
import { installMiniLm } from './mini-lm.ts'
import type { Peer } from './peer.ts'

const version = '0.6.4'
const modelFolder = '.cache/huggingface/hub/models--sentence-transformers--all-MiniLM-L6-v2'

let written = 0

const installation = 'ai-memory'
const source = `crates.io \`ai-memory ${version}\` (newer versions need a newer Rust), REST`
const title = 'A title is required: a number.'

export const aiMemory: Peer = {
  name: 'ai-memory',
  installation,
  label: 'ai-memory',
  version,
  conditions: `${source}, tier "semantic", which is its default. Its model all-MiniLM-L6-v2 from PyPI instead of its own download. ${title}`,
  install,
  open: (installed, store) => openAiMemory(installed, store, installed),
}

/** It also works without a model. */
export const aiMemoryKeyword: Peer = {
  name: 'ai-memory-keyword',
  installation,
  label: 'ai-memory without a model',
  version,
  conditions: `${source}, \`tier = "keyword"\`. ${title}`,
  install,
  open(installed, store) {
    const home = join(installed, 'keyword')
    const settings = join(home, '.config', 'ai-memory')
    mkdirSync(settings, { recursive: true })
    writeFileSync(join(settings, 'config.toml'), 'tier = "keyword"\n')
    return openAiMemory(installed, store, home)
  },
}

async function install(folder: string): Promise<void> {
  await installFromCrates(folder, 'ai-memory', version)
  const model = join(folder, modelFolder)
  await installMiniLm(join(model, 'snapshots', 'main'), ['config.json', 'tokenizer.json', 'model.safetensors'])
  // With the name of a snapshot, its cache is complete, and it downloads nothing.
  mkdirSync(join(model, 'refs'))
  writeFileSync(join(model, 'refs', 'main'), 'main')
}

/** `home`: the folder that has its settings and its model. */
async function openAiMemory(installed: string, store: string, home: string) {
  const port = await findFreePort()
  return openHttpPeer({
    command: {
      program: join(installed, 'bin', 'ai-memory'),
      args: ['--db', join(store, 'memories.db'), 'serve', '--port', String(port)],
      env: { ...process.env, HOME: home },
      logFile: `${store}.log`,
      cwd: store,
    },
    url: `http://127.0.0.1:${port}`,
    healthPath: '/api/v1/health',
    calls,
  })
}

const calls = (client: Client) => ({
  async write(content: string) {
    const { id } = await client.post<{ id: string }>('/api/v1/memories', { title: `Memory ${++written}`, content })
    return id
  },
  async read(id: string) {
    const found = await unlessMissing(client.get<{ memory: { content: string } }>(`/api/v1/memories/${id}`))
    return found?.memory.content
  },
  async search(context: string, limit: number) {
    const { memories } = await client.post<{ memories: { id: string }[] }>('/api/v1/recall', { context, limit })
    return memories.map(({ id }) => id)
  },
})
