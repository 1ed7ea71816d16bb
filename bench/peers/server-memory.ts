import { join } from 'node:path'
import { installFromNpm } from './install.ts'
import type { Peer } from './peer.ts'
import { openStdioPeer, type CallTool } from './stdio-peer.ts'

const version = '2026.8.31'
const packageName = '@modelcontextprotocol/server-memory'

interface Graph {
  entities: { name: string; observations: string[] }[]
}

let written = 0

/** It keeps a graph of entities, so each text becomes the observation of an entity of its own. */
export const serverMemory: Peer = {
  name: 'server-memory',
  label: 'server-memory',
  version,
  conditions: `npm \`${packageName}@${version}\`, MCP over stdio. \`create_entities\` with one observation, \`search_nodes\`, \`open_nodes\`.`,
  install: (folder) => installFromNpm(folder, [`${packageName}@${version}`]),
  open: (installed, store) =>
    Promise.resolve(
      openStdioPeer({
        program: process.execPath,
        args: [join(installed, 'node_modules', packageName, 'dist', 'index.js')],
        env: { MEMORY_FILE_PATH: join(store, 'memory.jsonl') },
        cwd: store,
        calls,
      }),
    ),
}

const calls = (call: CallTool) => ({
  async write(text: string) {
    const name = `memory ${++written}`
    await call('create_entities', { entities: [{ name, entityType: 'memory', observations: [text] }] })
    return name
  },
  async read(name: string) {
    const { entities } = await call<Graph>('open_nodes', { names: [name] })
    return entities[0]?.observations[0]
  },
  async search(query: string, limit: number) {
    const { entities } = await call<Graph>('search_nodes', { query })
    return entities.slice(0, limit).map(({ name }) => name)
  },
})
