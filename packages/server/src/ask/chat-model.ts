import { admit, closedBreaker, record, type Outcome } from '../embeddings/breaker.ts'
import { overloaded, rateLimited } from '../core/errors.ts'
import type { ChatModel } from '../operation/context.ts'
import {
  chatEndpoint,
  ModelError,
  postChat,
  readText,
  readWholeText,
  type ChatOptions,
} from '../turns/chat-endpoint.ts'

/**
 * Answers of a language model, in parts as they arrive. A slow or broken model delays no one else: answers have a time limit, a circuit
 * breaker stands before the endpoint, and the number of answers at once is limited per person and in total.
 */
interface Options extends ChatOptions {
  timeoutMs?: number
}

const defaultTimeoutMs = 60_000
const maxAnswerChars = 8_000
const maxAtOnce = 4

/** Throws a TypeError if the URL is invalid. Opens no connection. `now` is a monotonic clock in milliseconds. */
export function createChatModel(
  { timeoutMs = defaultTimeoutMs, ...options }: Options,
  now = () => performance.now(),
): ChatModel {
  const endpoint = chatEndpoint(options)
  const asking = new Set<string>()
  let breaker = closedBreaker
  return {
    async alone(userId, work) {
      if (asking.has(userId)) throw rateLimited(1)
      if (asking.size >= maxAtOnce) throw overloaded('too many questions at once', 2)
      asking.add(userId)
      try {
        return await work()
      } finally {
        asking.delete(userId)
      }
    },
    async answer(messages, { signal, onText }) {
      const admitted = admit(breaker, now())
      if (admitted === undefined) throw new ModelError('breaker_open')
      breaker = admitted
      const { generation } = admitted
      const timeout = AbortSignal.timeout(timeoutMs)
      let outcome: { outcome: Outcome; retryAfterMs?: number | undefined } = { outcome: 'succeeded' }
      try {
        const response = await postChat(endpoint, messages, {
          isStreamed: true,
          signal: AbortSignal.any([signal, timeout]),
        })
        return await readAnswer(response, onText)
      } catch (error) {
        const failure = failureOf(error, { signal, timeout })
        outcome = outcomeOf(failure)
        throw failure
      } finally {
        breaker = record(breaker, { generation, ...outcome }, now())
      }
    },
  }
}

function failureOf(error: unknown, { signal, timeout }: { signal: AbortSignal; timeout: AbortSignal }): ModelError {
  if (signal.aborted) return new ModelError('aborted')
  if (error instanceof ModelError) return error
  return new ModelError(timeout.aborted ? 'timeout' : 'unreachable')
}

// A refusal of one question is an answer. It must not block the next one.
function outcomeOf({ code, isFinal, retryAfterMs }: ModelError): {
  outcome: Outcome
  retryAfterMs?: number | undefined
} {
  if (code === 'aborted') return { outcome: 'abandoned' }
  return isFinal ? { outcome: 'succeeded' } : { outcome: 'failed', retryAfterMs }
}

async function readAnswer(response: Response, onText: (text: string) => void): Promise<string> {
  const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
  let answer = ''
  for await (const said of isStream ? readParts(response) : readWhole(response)) {
    const text = said.slice(0, maxAnswerChars - answer.length)
    answer += text
    if (text !== '') onText(text)
    // Ends the request, too.
    if (answer.length >= maxAnswerChars) break
  }
  // It may be the question, or a text that was found. Neither must keep the model from others.
  if (answer.trim() === '') throw new ModelError('empty', { isFinal: true })
  return answer.toWellFormed()
}

/** The texts of a stream of server-sent events. */
async function* readParts(response: Response): AsyncGenerator<string> {
  let rest = ''
  for await (const text of readText(response)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const data = dataOf(line)
      if (data === '[DONE]') return
      if (data !== '') yield textIn(data, 'delta')
    }
  }
  const last = dataOf(rest)
  if (last !== '' && last !== '[DONE]') yield textIn(last, 'delta')
}

const dataOf = (line: string): string => (line.startsWith('data:') ? line.slice('data:'.length).trim() : '')

/** The text of an endpoint that doesn't stream. */
async function* readWhole(response: Response): AsyncGenerator<string> {
  yield textIn(await readWholeText(response), 'message')
}

function textIn(json: string, part: 'delta' | 'message'): string {
  const { choices } = parse(json)
  const content = Array.isArray(choices) ? choices[0]?.[part]?.content : undefined
  return typeof content === 'string' ? content : ''
}

function parse(json: string): { choices?: { delta?: { content?: unknown }; message?: { content?: unknown } }[] } {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    throw new ModelError('not_json')
  }
}
