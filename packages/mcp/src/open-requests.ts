import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { Transform } from 'node:stream'
import { listenMethod } from './message.ts'

type Message = Parameters<StdioServerTransport['send']>[0]

/** Two operations that time out, each with a retry. */
const maxWaitMs = 60_000

/**
 * The transport drops requests in progress when its input ends, but a client may close it right after its last request. So the input
 * ends for the transport only when these are answered.
 */
export class OpenRequests {
  readonly #ids = new Set<unknown>()
  #onEmpty = (): void => {}

  /** A copy of the input, to be piped into. */
  holdEnd(): Transform {
    return new Transform({
      transform: (chunk, _encoding, done) => done(null, chunk),
      flush: (done) => void this.#settled().then(() => done()),
    })
  }

  /** Call once the transport has its handler of messages. */
  watch(transport: StdioServerTransport): void {
    const receive = transport.onmessage
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way
    transport.onmessage = (message: Message) => {
      if ('method' in message) this.#begin(message)
      receive?.(message)
    }
    const send = transport.send.bind(transport)
    transport.send = async (message) => {
      await send(message)
      if (!('method' in message)) this.#end(message.id)
    }
  }

  #begin(message: Extract<Message, { method: string }>): void {
    if ('id' in message && message.method !== listenMethod) this.#ids.add(message.id)
    // A canceled request gets no answer.
    if (message.method === 'notifications/cancelled') this.#end(message.params?.['requestId'])
  }

  #end(id: unknown): void {
    this.#ids.delete(id)
    if (this.#ids.size === 0) this.#onEmpty()
  }

  async #settled(): Promise<void> {
    // The transport gets the last piece of the input first.
    await new Promise((next) => setImmediate(next))
    if (this.#ids.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    const timer = setTimeout(resolve, maxWaitMs)
    await promise
    clearTimeout(timer)
  }
}
