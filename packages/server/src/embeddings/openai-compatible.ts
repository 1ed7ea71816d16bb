import { z } from 'zod'
import { type Calibration, guessCalibration } from './calibration.ts'
import {
  cutText,
  EmbeddingError,
  toUnitVectors,
  type EmbeddedTexts,
  type EmbeddingProvider,
  type TextKind,
} from './provider.ts'

/**
 * Any server that speaks OpenAI's `POST <url>/embeddings`: Ollama, LM Studio, vLLM, OpenAI. The address comes from the
 * operator alone, so it may be private; its answers are still not trusted. Deliberately without retries: the callers
 * know whether somebody waits, and the breaker when to try again. Why plain fetch: docs/adr/0006-embedding-http.md.
 */
export interface OpenAiCompatibleOptions {
  /** Ends before `/embeddings`; a query string is kept. */
  url: string
  key: string | undefined
  model: string
  /** Default: what the model's name tells. */
  calibration?: Calibration | undefined
  timeoutsMs?: Readonly<Record<TextKind, number>>
}

/** For each request. A search waits for its query; a write is stored without vectors when they take too long. */
export const defaultTimeoutsMs: Readonly<Record<TextKind, number>> = { query: 800, document: 5000 }

// Below the 8,192 tokens that hosted models take, also where a character costs two tokens (Chinese, emoji).
const maxInputChars = 4000

// A model on a small CPU needs about 0.1 s for a passage: this many must fit into the time limit of one request.
const batchSize = 16

// 16 vectors of 4,096 numbers of 25 characters are 1.6 MB; whatever is much larger is no list of vectors.
export const maxResponseBytes = 8 * 1024 * 1024

// The endpoint read the request and will not take it: a text too long for the model, or one that it cannot parse.
const refusalStatuses = new Set([400, 413, 422])

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
  // Counting is optional in the field: a server that counts oddly still gives good vectors.
  usage: z
    .object({ prompt_tokens: z.int().min(0) })
    .optional()
    .catch(undefined),
})

type Answer = z.infer<typeof answerSchema>

/** Throws a TypeError where the address or the key can never work. Opens no connection. */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): EmbeddingProvider {
  const { model, timeoutsMs = defaultTimeoutsMs } = options
  const endpoint = endpointOf(options.url)
  const headers = headersOf(options.key)
  let dims: number | undefined

  async function ask(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<EmbeddedTexts> {
    const timeout = AbortSignal.timeout(timeoutsMs[kind])
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    try {
      const body = JSON.stringify({ model, input: texts.map((text) => cutText(text, maxInputChars)) })
      const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'manual', signal: either })
      const answer = parseAnswer(await readAnswer(response))
      const vectors = toUnitVectors(inOrder(answer.data), { count: texts.length, dims })
      return { vectors, tokens: answer.usage?.prompt_tokens ?? 0 }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof EmbeddingError) throw error
      if (timeout.aborted) throw new EmbeddingError('timeout', kind === 'query' ? 'query_timeout' : 'document_timeout')
      throw new EmbeddingError('unavailable', networkCode(error))
    }
  }

  /** A first answer is believed once a second one is as long: under a length that was wrong once, all right ones would fail from then on. */
  async function embedBatch(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<EmbeddedTexts> {
    const embedded = await ask(texts, kind, signal)
    if (dims !== undefined) return embedded
    const { vectors: again } = await ask(['Is anybody there?'], kind, signal)
    const [first, second] = [embedded.vectors[0]?.length, again[0]?.length]
    if (first !== second) throw new EmbeddingError('bad_response', 'wrong_dims')
    dims = first
    return embedded
  }

  return {
    id: `openai-compatible/${model}`,
    isMeanOfWords: false,
    get dims() {
      return dims
    },
    calibration: options.calibration ?? guessCalibration(model),
    maxTokens: undefined,
    maxInputChars,
    batchSize,
    async embed(texts, kind, signal) {
      const result: EmbeddedTexts = { vectors: [], tokens: 0 }
      for (let start = 0; start < texts.length; start += batchSize) {
        // One request at a time: a local model gains nothing from more, and a hosted one counts them against us.
        const batch = await embedBatch(texts.slice(start, start + batchSize), kind, signal)
        result.vectors.push(...batch.vectors)
        result.tokens += batch.tokens
      }
      return result
    },
  }
}

function endpointOf(url: string): URL {
  const endpoint = new URL(url)
  // fetch refuses such an address on every call, in words that quote the password.
  if (endpoint.username !== '' || endpoint.password !== '') {
    throw new TypeError('The embedding address must not hold a user name or password')
  }
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, '')}/embeddings`
  return endpoint
}

function headersOf(key: string | undefined): Headers {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' })
  if (key === undefined) return headers
  // Headers would refuse it too, in words that quote the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The embedding key holds characters that no header can carry')
  headers.set('authorization', `Bearer ${key}`)
  return headers
}

/** A redirect is no answer: following it would hand texts and key to an address that the operator did not choose. */
async function readAnswer(response: Response): Promise<string> {
  if (response.ok) return readCapped(response)
  await response.body?.cancel()
  const reason = refusalStatuses.has(response.status) ? 'refused' : 'unavailable'
  throw new EmbeddingError(reason, `http_${response.status}`, retryAfterMs(response.headers.get('retry-after')))
}

// Counts what arrives, after decompression: a Content-Length may lie and a small body may inflate.
async function readCapped(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxResponseBytes) throw new EmbeddingError('bad_response', 'too_large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseAnswer(text: string): Answer {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new EmbeddingError('bad_response', 'not_json')
  }
  const parsed = answerSchema.safeParse(json)
  if (!parsed.success) throw new EmbeddingError('bad_response', 'not_embeddings')
  return parsed.data
}

/** By `index` where the server numbers its vectors: a vector under the wrong text would be wrong for ever, unseen. */
function inOrder(data: Answer['data']): number[][] {
  if (data.some(({ index }) => index === undefined)) return data.map(({ embedding }) => embedding)
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]))
  return data.map((_, i) => {
    const embedding = byIndex.get(i)
    if (embedding === undefined) throw new EmbeddingError('bad_response', 'wrong_index')
    return embedding
  })
}

/** Seconds or a date (RFC 9110, 10.2.3); undefined where it is neither. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

// fetch wraps the reason: TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }).
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'network'
}
