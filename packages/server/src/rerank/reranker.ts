import { z } from 'zod'
import { admit, closedBreaker, record } from '../embeddings/breaker.ts'
import { responseText } from '../core/response-text.ts'
import { retryAfterMs } from '../core/retry-after.ts'

/**
 * A model that reads a question together with each text, and says how well the text answers it. It is asked about the best records of a
 * search only, because it takes milliseconds for each. Two protocols: Cohere's, which Jina, Voyage, vLLM, llama.cpp and Infinity share,
 * and that of Text Embeddings Inference, which serves a single model without a name.
 */
export interface Reranker {
  /**
   * How well each text answers the query, in the order of the texts: the higher, the better, on the model's own scale. Rejects with a
   * RerankError, and once `budgetMs` has passed.
   */
  rate(query: string, texts: readonly string[]): Promise<number[]>
  readonly budgetMs: number
  /** Whether `rate` would fail at once with `breaker_open`, so that no texts need to be read for it. */
  readonly isLeftAlone: boolean
  /** The code of the latest call's failure; undefined if there was no call yet, or it succeeded. */
  readonly failure: string | undefined
}

export interface RerankerOptions {
  /** The whole address, such as `https://rerank.example.com/v2/rerank`. */
  url: string
  key: string | undefined
  /** Undefined for Text Embeddings Inference. */
  model: string | undefined
  budgetMs: number
}

/** Has neither a cause nor the response text, since both can contain user content. `code` is safe to log. */
export class RerankError extends Error {
  readonly code: string
  /** How long the reranker asks to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(code: string, wait?: number) {
    super(`The reranker failed: ${code}`)
    this.name = 'RerankError'
    this.code = code
    this.retryAfterMs = wait
  }
}

/** Most rerankers read at least 512 tokens of question and text. */
const maxTextChars = 2_000
const maxQueryChars = 1_000
/** Text Embeddings Inference refuses more in one request, unless its operator allows them. Others may bill each request. */
const maxUnnamedTexts = 32
/** Fifty ratings are a few kilobytes, unless the texts are sent back. */
const maxResponseBytes = 1024 * 1024

const rated = z.object({ index: z.int().min(0), relevance_score: z.number() })
const answer = z.union([
  z.object({ results: z.array(rated) }).transform(({ results }) => results),
  // Voyage.
  z.object({ data: z.array(rated) }).transform(({ data }) => data),
  // Text Embeddings Inference.
  z
    .array(z.object({ index: z.int().min(0), score: z.number() }))
    .transform((list) => list.map(({ index, score }) => ({ index, relevance_score: score }))),
])

/** Throws a TypeError if the URL is invalid. Opens no connection. `now` is a monotonic clock in milliseconds. */
export function createReranker(options: RerankerOptions, now = () => performance.now()): Reranker {
  const { budgetMs } = options
  const url = new URL(options.url)
  let breaker = closedBreaker
  let lastFailure: string | undefined
  return {
    budgetMs,
    get failure() {
      return lastFailure
    },
    get isLeftAlone() {
      return admit(breaker, now()) === undefined
    },
    async rate(query, texts) {
      if (texts.length === 0) return []
      const admitted = admit(breaker, now())
      if (admitted === undefined) throw new RerankError('breaker_open')
      breaker = admitted
      const timeout = AbortSignal.timeout(budgetMs)
      const { generation } = admitted
      try {
        const ratings = await Promise.all(
          inRequests(options.model, texts).map(async (part) =>
            inOrder(await ask(url, options, bodyOf(options.model, query, part), timeout), part.length),
          ),
        )
        breaker = record(breaker, { generation, outcome: 'succeeded' }, now())
        lastFailure = undefined
        return ratings.flat()
      } catch (error) {
        const failure = failureOf(error, timeout)
        // A refusal is about this question or these texts. That must not keep the reranker from others.
        const call = refusals.has(failure.code)
          ? { outcome: 'succeeded' as const }
          : { outcome: 'failed' as const, retryAfterMs: failure.retryAfterMs }
        breaker = record(breaker, { generation, ...call }, now())
        lastFailure = call.outcome === 'failed' ? failure.code : undefined
        throw failure
      }
    },
  }
}

const refusals: ReadonlySet<string> = new Set(['http_400', 'http_413', 'http_422'])

/** A text is rated without regard to the others, so ratings of several requests can be compared. */
function inRequests(model: string | undefined, texts: readonly string[]): (readonly string[])[] {
  if (model !== undefined) return [texts]
  const requests = Math.ceil(texts.length / maxUnnamedTexts)
  return Array.from({ length: requests }, (_, at) => texts.slice(at * maxUnnamedTexts, (at + 1) * maxUnnamedTexts))
}

/** Without the number of ratings, which Cohere calls `top_n` and Voyage `top_k`: by default, all texts are rated. */
function bodyOf(model: string | undefined, query: string, texts: readonly string[]): object {
  const asked = cutMiddle(query, maxQueryChars)
  const given = texts.map((text) => text.slice(0, maxTextChars).toWellFormed())
  return model === undefined
    ? { query: asked, texts: given, truncate: true }
    : { model, query: asked, documents: given }
}

/** Agents ask before or after a text that they paste. Well-formed, because a cut may halve a surrogate pair. */
function cutMiddle(text: string, chars: number): string {
  if (text.length <= chars) return text.toWellFormed()
  const half = chars / 2
  return `${text.slice(0, half).toWellFormed()}\n${text.slice(-half).toWellFormed()}`
}

async function ask(url: URL, { key }: RerankerOptions, body: object, signal: AbortSignal) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    // A redirect would send texts and key to an address that the operator did not choose.
    redirect: 'manual',
    signal,
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new RerankError(`http_${response.status}`, retryAfterMs(response.headers.get('retry-after')))
  }
  const parsed = answer.safeParse(
    parseJson(await responseText(response, maxResponseBytes, () => new RerankError('too_large'))),
  )
  if (!parsed.success) throw new RerankError('bad_response')
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RerankError('bad_response')
  }
}

/** Each text must be rated exactly once: a text without a rating would be lost, and of two ratings neither can be trusted. */
function inOrder(ratings: readonly z.output<typeof rated>[], count: number): number[] {
  if (ratings.length !== count) throw new RerankError('bad_response')
  const byIndex = new Map(ratings.map(({ index, relevance_score: relevance }) => [index, relevance]))
  return Array.from({ length: count }, (_, index) => {
    const relevance = byIndex.get(index)
    if (relevance === undefined) throw new RerankError('bad_response')
    return relevance
  })
}

function failureOf(error: unknown, timeout: AbortSignal): RerankError {
  if (error instanceof RerankError) return error
  return new RerankError(timeout.aborted ? 'timeout' : 'unreachable')
}
