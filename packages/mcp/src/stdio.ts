import { createClient } from '@holdfast/client'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { randomUUID } from 'node:crypto'
import { pipeline, type Readable, type Writable } from 'node:stream'
import type { Caller } from './call-tool.ts'
import { withBreaker } from './circuit-breaker.ts'
import { newConnection } from './connections.ts'
import { OpenRequests } from './open-requests.ts'
import { repairArguments } from './repair-arguments.ts'
import { createProtocolServer, type Extend } from './server.ts'
import type { Switches } from './switches.ts'

/** Options of the stdio server. It stores nothing itself: every call goes to the server at `url`. */
export interface BridgeOptions {
  url: string
  /** If undefined, the bridge starts anyway and each tool says what is missing, because hosts hide the output of a failed process. */
  key: string | undefined
  switches: Switches
  version: string
  input?: Readable
  output?: Writable
  extend?: Extend
}

const timeoutMs = 15_000

/** Serves one client until it disconnects, and answers what it has received. All calls belong to one run. */
export async function serveBridge(options: BridgeOptions): Promise<void> {
  const { url, key, switches, version, input = process.stdin, output, extend } = options
  const run = randomUUID()
  const caller: Caller = {
    client: withBreaker(
      (guard) =>
        createClient({
          url,
          key: key ?? 'none',
          agentRunId: run,
          timeoutMs,
          maxRetries: 1,
          fetch: key === undefined ? refuseWithoutKey : guard(globalThis.fetch),
        }),
      Date.now,
    ),
    switches,
    connection: newConnection(Date.now()),
    run,
    now: Date.now,
    // Only the name, because the message may contain what was sent.
    report: (error, tool) =>
      void process.stderr.write(`${tool} failed: ${error instanceof Error ? error.name : 'unknown error'}\n`),
  }
  const open = new OpenRequests()
  const held = open.holdEnd()
  // If the input breaks, so does the copy, which ends the connection.
  pipeline(input, held, () => {})
  const transport = new StdioServerTransport(held, output, { maxBufferSize })
  await new Promise<void>((resolve) => {
    const serving = serveStdio(() => createProtocolServer(caller, version, { extend, canListen: false }), { transport })
    open.watch(transport)
    const receive = transport.onmessage
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way
    transport.onmessage = (message) => receive?.(repairArguments(message))
    const end = transport.onclose
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way
    transport.onclose = () => {
      end?.()
      // Otherwise an input that is still open keeps the process alive.
      held.destroy()
      void serving.close().then(resolve, resolve)
    }
  })
}

/** Larger than the largest input of an operation with escapes. */
const maxBufferSize = 64 * 1024 * 1024

const refuseWithoutKey = async () => Response.json({ error: 'Invalid or missing agent key' }, { status: 401 })
