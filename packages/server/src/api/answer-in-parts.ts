import type { FastifyReply, FastifyRequest } from 'fastify'
import { PassThrough } from 'node:stream'
import type { AnswerParts } from '../operation/context.ts'
import { errorResponse } from './payloads.ts'

/** Whether the caller wants the parts of an answer as they come. */
export const wantsParts = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') === true

/** Aborts when the caller goes, or when the server closes the connection to stop. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

/**
 * Answers with server-sent events: `part` while the operation works, then `answer` with what it would have answered at once, or `error`.
 * An error before the first part is rethrown, because it can still have its own status. A later one goes to `logFailure`.
 */
export async function answerInParts(
  reply: FastifyReply,
  run: (parts: AnswerParts) => Promise<unknown>,
  logFailure: (error: unknown) => void,
): Promise<FastifyReply> {
  const stream = new PassThrough()
  const signal = untilGone(reply)
  let isStarted = false
  const send = (event: string, data: unknown) => {
    if (!isStarted)
      void reply.header('Content-Type', 'text/event-stream').header('X-Accel-Buffering', 'no').send(stream)
    isStarted = true
    stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  try {
    const body = await run({ send: (part) => send('part', part), signal })
    send('answer', body)
  } catch (error) {
    if (!isStarted) throw error
    logFailure(error)
    send('error', errorResponse(error).body)
  }
  stream.end()
  return reply
}
