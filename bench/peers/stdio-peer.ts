import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Connection, OpenPeer } from './peer.ts'
import { findTrees, killTrees } from './processes.ts'

/** Calls a tool and returns its structured answer. Throws if the tool reports an error. */
export type CallTool = <T>(name: string, args: Record<string, unknown>) => Promise<T>

export interface StdioPeer {
  program: string
  args: string[]
  env: Record<string, string>
  cwd: string
  calls: (call: CallTool) => Connection
}

const callTimeoutMs = 120_000

/** An MCP server over stdio. Nothing runs before the first connection. */
export function openStdioPeer({ program, args, env, cwd, calls }: StdioPeer): OpenPeer {
  const open: { client: Client; pid: number }[] = []
  const pids = () => findTrees(open.map(({ pid }) => pid))
  const killAtExit = () => killTrees(open.map(({ pid }) => pid))
  process.once('exit', killAtExit)
  return {
    async connect() {
      const transport = new StdioClientTransport({ command: program, args, env, cwd, stderr: 'ignore' })
      const client = new Client({ name: 'holdfast-bench', version: '1' }, { capabilities: {} })
      await client.connect(transport)
      open.push({ client, pid: transport.pid ?? 0 })
      return calls(createCall(client))
    },
    pids,
    async stop() {
      await Promise.all(open.map(({ client }) => client.close()))
      process.off('exit', killAtExit)
    },
    async kill() {
      await killTrees(open.map(({ pid }) => pid))
      await Promise.all(open.map(({ client }) => client.close()))
      process.off('exit', killAtExit)
    },
  }
}

const createCall =
  (client: Client): CallTool =>
  async <T>(name: string, args: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: args }, { timeout: callTimeoutMs })
    if (answer.isError === true) throw new Error(`${name} failed: ${JSON.stringify(answer.content)}`)
    return answer.structuredContent as T
  }
