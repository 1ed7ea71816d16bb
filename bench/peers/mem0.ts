import { join } from 'node:path'
import type { Client } from '../http-client.ts'
import { findFreePort } from '../server.ts'
import { embeddingDims, startEmbeddingEndpoint } from './embedding-endpoint.ts'
import { openHttpPeer } from './http-peer.ts'
import { installFromNpm } from './install.ts'
import type { Peer } from './peer.ts'

const version = '3.3.1'

export const mem0: Peer = {
  name: 'mem0',
  label: 'mem0 for TypeScript',
  version,
  conditions:
    `npm \`mem0ai@${version}\`, a library, behind a small HTTP server of ours. \`infer: false\`, so no language model. ` +
    "Its default embeddings need a key of OpenAI, so it gets those of Holdfast's built-in model from an endpoint on the same machine. " +
    'Its default store, in files, with better-sqlite3 13.2.0.',
  // Version 12, which it asks for, often has to be compiled, and its compiled form comes from no registry.
  install: (folder) => installFromNpm(folder, [`mem0ai@${version}`], { 'better-sqlite3': '13.2.0' }),
  async open(installed, store) {
    const port = await findFreePort()
    const endpoint = await startEmbeddingEndpoint()
    const server = join(import.meta.dirname, 'mem0-server.ts')
    const open = await openHttpPeer({
      command: {
        program: process.execPath,
        args: [server, installed, store, String(port), endpoint.url, String(embeddingDims)],
        env: { ...process.env, HOME: store, MEM0_TELEMETRY: 'false' },
        logFile: `${store}.log`,
        cwd: store,
      },
      url: `http://127.0.0.1:${port}`,
      healthPath: '/',
      calls,
    })
    const thenClose = (end: () => Promise<void>) => async () => {
      await end()
      await endpoint.close()
    }
    return { ...open, stop: thenClose(open.stop), kill: thenClose(open.kill) }
  },
}

const calls = (client: Client) => ({
  async write(text: string) {
    const { results } = await client.post<{ results: { id: string }[] }>('/write', { text })
    if (results[0] === undefined) throw new Error('It stored nothing')
    return results[0].id
  },
  read: async (id: string) => (await client.post<{ memory: string } | null>('/read', { id }))?.memory,
  async search(text: string, limit: number) {
    const { results } = await client.post<{ results: { id: string }[] }>('/search', { text, limit })
    return results.map(({ id }) => id)
  },
})
