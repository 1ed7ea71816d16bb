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
  /** `hear` receives what the process says before it answers; the answer comes last. */
  ask(line: string, id: string | number, hear: (line: string) => void): Promise<string>
  tell(line: string): void
  end(): Promise<void>
}

interface Asked {
  hear(line: string): void
  answer(line: string): void
}

/** A process that answers lines with lines, matched by id. */
function startPiped(args: string[], env: Record<string, string | undefined>): Piped {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<string | number, Asked>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method } = JSON.parse(line) as Message
    // Its own messages name no request; the harness has one open if that matters.
    if (method !== undefined) return [...waiting.values()].at(-1)?.hear(line)
    if (id === undefined) return
    waiting.get(id)?.answer(line)
    waiting.delete(id)
  })
  return {
    tell: (line) => void child.stdin.write(`${line}\n`),
    ask: (line, id, hear) =>
      new Promise((answer) => {
        waiting.set(id, { hear, answer })
        child.stdin.write(`${line}\n`)
      }),
    async end() {
      child.stdin.end()
      await once(child, 'close')
    },
  }
}

/**
 * An HTTP address in front of a process that speaks the protocol over its pipes, for a harness that only knows HTTP. Over pipes the
 * first message decides the era of a connection: `opening` is that message, if it is not the harness's.
 */
export async function startStdioGateway(
  args: string[],
  env: Record<string, string | undefined>,
  opening?: Required<Message> & object,
): Promise<{ url: string } & AsyncDisposable> {
  const piped = startPiped(args, env)
  if (opening !== undefined) await piped.ask(JSON.stringify(opening), opening.id, () => {})
  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const line = (await text(incoming)).replaceAll('\n', ' ')
    if (incoming.method !== 'POST') return void outgoing.writeHead(405).end()
    const { id, method } = JSON.parse(line) as Message
    if (id === undefined || method === undefined) {
      piped.tell(line)
      outgoing.writeHead(202).end()
      return
    }
    const answer = await piped.ask(line, id, (said) => sayOn(outgoing, said))
    if (outgoing.headersSent) {
      sayOn(outgoing, answer)
      outgoing.end()
    } else outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  }
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await piped.end()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** As an event of a stream, which the first event starts. */
function sayOn(outgoing: ServerResponse, line: string): void {
  if (!outgoing.headersSent) outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  outgoing.write(`data: ${line}\n\n`)
}
