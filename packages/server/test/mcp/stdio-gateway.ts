import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

interface Message {
  id?: string | number
  method?: string
}

interface Piped {
  ask(line: string, id: string | number): Promise<string>
  tell(line: string): void
  end(): Promise<void>
}

/** A process that answers lines with lines, each told by the id of what it answers. */
function startPiped(args: string[], env: Record<string, string | undefined>): Piped {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<string | number, (line: string) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as Message
    if (id !== undefined) waiting.get(id)?.(line)
  })
  return {
    tell: (line) => void child.stdin.write(`${line}\n`),
    ask: (line, id) =>
      new Promise((resolve) => {
        waiting.set(id, resolve)
        child.stdin.write(`${line}\n`)
      }),
    async end() {
      child.stdin.end()
      await once(child, 'close')
    },
  }
}

/**
 * An HTTP address in front of processes that speak the protocol over their pipes, for a harness that knows only HTTP. One
 * process an era: over pipes the first message decides which is spoken.
 */
export async function startStdioGateway(
  args: string[],
  env: Record<string, string | undefined>,
): Promise<{ url: string } & AsyncDisposable> {
  const [earlier, later] = [startPiped(args, env), startPiped(args, env)]
  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const line = (await text(incoming)).replaceAll('\n', ' ')
    if (incoming.method !== 'POST') return void outgoing.writeHead(405).end()
    const { id, method } = JSON.parse(line) as Message
    const piped = line.includes('"io.modelcontextprotocol/protocolVersion"') ? later : earlier
    if (id === undefined || method === undefined) {
      piped.tell(line)
      outgoing.writeHead(202).end()
      return
    }
    const answer = await piped.ask(line, id)
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  }
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([earlier.end(), later.end()])
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
