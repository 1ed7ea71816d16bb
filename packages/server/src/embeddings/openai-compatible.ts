import { z } from 'zod'
import { responseText } from '../core/response-text.ts'
import { retryAfterMs } from '../core/retry-after.ts'
import { type Calibration, guessCalibration } from './calibration.ts'
import { findFamily } from './model-families.ts'
import { choosePrefixes, nameUse, type ModelUse, type UseSettings } from './model-use.ts'
import {
  cutText,
  EmbeddingError,
  toUnitVectors,
  type EmbeddedTexts,
  type EmbeddingProvider,
  type TextKind,
} from './provider.ts'

/**
 * Any server with OpenAI's `POST <url>/embeddings`: Ollama, LM Studio, vLLM, OpenAI. Only the operator sets the address, so it may be
 * private, but its answers are not trusted. No retries: callers know whether someone is waiting, and the breaker decides when to try
 * again. Why plain fetch: docs/adr/0006-embedding-http.md.
 */
export interface OpenAiCompatibleOptions extends UseSettings {
  /** Ends before `/embeddings`; a query string is kept. */
  url: string
  key: string | undefined
  model: string
  /** Default: a guess by the model's name. */
  calibration?: Calibration | undefined
  timeoutsMs?: Readonly<Record<TextKind, number>>
}

/** Per request. A search waits for its query; a write is stored without vectors if they take too long. */
const defaultTimeoutsMs: Readonly<Record<TextKind, number>> = { query: 800, document: 5000 }

// Below the 8,192 tokens of hosted models, even if a character takes two tokens (Chinese, emoji).
const maxInputChars = 4000

// A model on a small CPU takes about 0.1 s for a passage, and this many must fit into the timeout of one request.
const batchSize = 16

// 16 vectors of 4,096 numbers of 25 characters are 1.6 MB; a much larger answer isn't a list of vectors.
export const maxResponseBytes = 8 * 1024 * 1024

// The endpoint read the request and refuses it, for example because a text is too long for the model.
const refusalStatuses = new Set([400, 413, 422])

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
  // Many servers don't count tokens, or count them in odd ways, and still return good vectors.
  usage: z
    .object({ prompt_tokens: z.int().min(0) })
    .optional()
    .catch(undefined),
})

type Answer = z.infer<typeof answerSchema>

/** With the length of the endpoint's vectors, before they are cut. */
type Answered = EmbeddedTexts & { length: number | undefined }

/**
 * How the model is used. Ollama, llama.cpp, LM Studio, vLLM and hosted endpoints embed the text that they get. The few that add prefixes
 * themselves don't say so. Sends no `dimensions`, which many servers ignore or refuse: cutting here gives the same vectors.
 */
export const useEndpoint = (model: string, { prefixes, dims }: UseSettings): ModelUse => ({
  ...choosePrefixes(prefixes, undefined, findFamily(model)),
  pooling: undefined,
  dims,
})

/** Throws a TypeError if the address or the key can never work. Opens no connection. */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): EmbeddingProvider {
  const { model, timeoutsMs = defaultTimeoutsMs } = options
  const endpoint = endpointOf(options.url)
  const headers = headersOf(options.key)
  const use = useEndpoint(model, options)
  /** The length of the endpoint's own vectors. */
  let dims: number | undefined

  async function ask(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Answered> {
    const timeout = AbortSignal.timeout(timeoutsMs[kind])
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    try {
      const input = texts.map((text) => use.prefixes[kind] + cutText(text, maxInputChars))
      const body = JSON.stringify({ model, input })
      const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'manual', signal: either })
      const answer = parseAnswer(await readAnswer(response))
      const rows = inOrder(answer.data)
      const vectors = toUnitVectors(rows, { count: texts.length, dims, kept: use.dims })
      return { vectors, tokens: answer.usage?.prompt_tokens ?? 0, length: rows[0]?.length }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof EmbeddingError) throw error
      if (timeout.aborted) throw new EmbeddingError('timeout', kind === 'query' ? 'query_timeout' : 'document_timeout')
      throw new EmbeddingError('unavailable', networkCode(error))
    }
  }

  /** The vectors' length is only stored once a second answer has the same: a wrong first length would make all later answers fail. */
  async function embedBatch(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<EmbeddedTexts> {
    const embedded = await ask(texts, kind, signal)
    if (dims !== undefined) return embedded
    const { length } = await ask(['Is anybody there?'], kind, signal)
    if (embedded.length !== length) throw new EmbeddingError('bad_response', 'mixed_dims')
    dims = length
    return embedded
  }

  return {
    id: nameUse(`openai-compatible/${model}`, use),
    isMeanOfWords: false,
    get dims() {
      return dims && (use.dims ?? dims)
    },
    calibration: options.calibration ?? guessCalibration(model),
    maxTokens: undefined,
    maxInputChars,
    batchSize,
    async embed(texts, kind, signal) {
      const result: EmbeddedTexts = { vectors: [], tokens: 0 }
      for (let start = 0; start < texts.length; start += batchSize) {
        // One request at a time: a local model gains nothing from more, and hosted ones limit them.
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
  // fetch would refuse such an address on every call, with an error that quotes the password.
  if (endpoint.username !== '' || endpoint.password !== '') {
    throw new TypeError('The embedding address must not contain a user name or password')
  }
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, '')}/embeddings`
  return endpoint
}

function headersOf(key: string | undefined): Headers {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' })
  if (key === undefined) return headers
  // Headers would refuse it too, with an error that quotes the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The embedding key contains characters that are invalid in a header')
  headers.set('authorization', `Bearer ${key}`)
  return headers
}

/** Redirects are errors: following one would send texts and key to an address that the operator did not choose. */
async function readAnswer(response: Response): Promise<string> {
  if (response.ok)
    return responseText(response, maxResponseBytes, () => new EmbeddingError('bad_response', 'too_large'))
  await response.body?.cancel()
  const reason = refusalStatuses.has(response.status) ? 'refused' : 'unavailable'
  throw new EmbeddingError(reason, `http_${response.status}`, retryAfterMs(response.headers.get('retry-after')))
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

/** Orders vectors by `index` if there is one. A vector stored with the wrong text would never be noticed. */
function inOrder(data: Answer['data']): number[][] {
  if (data.some(({ index }) => index === undefined)) return data.map(({ embedding }) => embedding)
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]))
  return data.map((_, i) => {
    const embedding = byIndex.get(i)
    if (embedding === undefined) throw new EmbeddingError('bad_response', 'wrong_index')
    return embedding
  })
}

// fetch wraps the reason: TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }).
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'network'
}
