import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { findProgram } from '../program.ts'

/** The official client, as hosts use it, in each era of the protocol and over both transports. */

const eras = { '2025': 'legacy', '2026': { pin: '2026-07-28' } } as const
export type Era = keyof typeof eras

export interface Connected {
  client: Client
  /** Calls a tool and returns its one block of text. Fails the test if the tool reports an error. */
  say(name: string, args?: Record<string, unknown>): Promise<string>
  /** The text of a tool that must report an error. */
  fail(name: string, args?: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

interface Host {
  era?: Era
  /** What the client calls itself. */
  name?: string
  /** For several tests: the caller closes it. Default: the test that opened it does. */
  isShared?: boolean
}

export interface HttpHost extends Host {
  url: string
  key: string
  /** What comes after `/mcp`. */
  query?: string
  headers?: Record<string, string>
}

export const connectHttp = ({ url, key, query = '', headers = {}, ...host }: HttpHost): Promise<Connected> =>
  connect(
    () =>
      new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), {
        requestInit: { headers: { Authorization: `Bearer ${key}`, ...headers } },
      }),
    host,
  )

export interface StdioHost extends Host {
  url: string
  key?: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
}

const compileCache = join(import.meta.dirname, '../../../../.runtime/compile-cache')

export const connectStdio = ({ url, key, args = [], env = {}, cwd, ...host }: StdioHost): Promise<Connected> =>
  connect(
    () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [findProgram(), 'mcp', ...args],
        env: {
          HOLDFAST_URL: url,
          ...(key !== undefined && { HOLDFAST_KEY: key }),
          NODE_COMPILE_CACHE: compileCache,
          ...env,
        },
        ...(cwd !== undefined && { cwd }),
        stderr: 'ignore',
      }),
    host,
  )

const attempts = 5

/** Tries again if a busy machine says that it is busy. */
async function connectClient(open: () => Transport, name: string, era: Era): Promise<Client> {
  for (let attempt = 1; ; attempt++) {
    const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: eras[era] } })
    try {
      await client.connect(open())
      return client
    } catch (error) {
      if (attempt === attempts || !String(error).includes('503')) throw error
      await sleep(1_000)
    }
  }
}

async function connect(
  open: () => Transport,
  { era = '2026', name = 'test-host', isShared = false }: Host,
): Promise<Connected> {
  const client = await connectClient(open, name, era)
  if (!isShared) onTestFinished(() => client.close())
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name: tool, arguments: args })
    expect(content).toEqual([{ type: 'text', text: expect.any(String) }])
    const [block] = content as { text: string }[]
    return { text: block?.text ?? '', isError: isError ?? false }
  }
  return {
    client,
    async say(tool, args = {}) {
      const { text, isError } = await call(tool, args)
      expect(isError, `${tool}: ${text}`).toBe(false)
      return text
    },
    async fail(tool, args = {}) {
      const { text, isError } = await call(tool, args)
      expect(isError, `${tool}: ${text}`).toBe(true)
      return text
    },
    close: () => client.close(),
  }
}

/** The first id in a text after this letter. */
export function idIn(text: string, prefix: 'm' | 't' | 'n' | 'msg'): string {
  const found = new RegExp(`\\b${prefix}:[0-9a-f-]{36}`).exec(text)
  if (found === null) throw new Error(`no ${prefix}: id in: ${text}`)
  return found[0]
}
