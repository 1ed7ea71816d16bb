import { z } from 'zod'
import { admit, closedBreaker, record, type Outcome } from '../embeddings/breaker.ts'
import { responseText } from '../core/response-text.ts'

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

  constructor(code: string) {
    super(`The reranker failed: ${code}`)
    this.name = 'RerankError'
    this.code = code
  }
}

/** Rerankers read about 512 tokens of question and text. */
const maxTextChars = 2_000
const maxQueryChars = 1_000
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
  return {
    budgetMs,
    async rate(query, texts) {
      if (texts.length === 0) return []
      const admitted = admit(breaker, now())
      if (admitted === undefined) throw new RerankError('breaker_open')
      breaker = admitted
      const timeout = AbortSignal.timeout(budgetMs)
      let outcome: Outcome = 'failed'
      try {
        const ratings = await ask(url, options, bodyOf(options.model, query, texts), timeout)
        outcome = 'succeeded'
        return inOrder(ratings, texts.length)
      } catch (error) {
        const failure = failureOf(error, timeout)
        // It refuses this question or these texts. That must not keep it from others.
        if (refusals.has(failure.code)) outcome = 'succeeded'
        throw failure
      } finally {
        breaker = record(breaker, { generation: admitted.generation, outcome }, now())
      }
    },
  }
}

const refusals: ReadonlySet<string> = new Set(['http_400', 'http_413', 'http_422'])

function bodyOf(model: string | undefined, query: string, texts: readonly string[]): object {
  const asked = cut(query, maxQueryChars)
  const given = texts.map((text) => cut(text, maxTextChars))
  return model === undefined
    ? { query: asked, texts: given, truncate: true }
    : { model, query: asked, documents: given, top_n: given.length }
}

/** Without half of a surrogate pair at the end. */
const cut = (text: string, chars: number): string => text.slice(0, chars).toWellFormed()

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
    throw new RerankError(`http_${response.status}`)
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

/** Each text must be rated once: a text without a rating would be lost, and nobody would know why. */
function inOrder(ratings: readonly z.output<typeof rated>[], count: number): number[] {
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
