import { sha256 } from '../crypto/hash.ts'
import { EmbeddingError, type EmbeddingProvider, wrapProvider } from './provider.ts'

/** Short and plain: a model that takes anything takes these. Two, as what is unusable of several texts is the provider's own fault. */
const knownTexts = ['The sun is out.', 'Is anybody there?']

/** Besides refusals: servers that write NaN as no JSON, or fail where they try to; models that throw. */
const codesOfOneText = new Set(['not_finite', 'zero_vector', 'not_json', 'not_embeddings', 'http_500', 'model_failed'])

/** Whether a failure may be the fault of one text alone. */
export const mayBeOneText = (error: unknown): error is EmbeddingError =>
  error instanceof EmbeddingError && (error.reason === 'refused' || codesOfOneText.has(error.code))

/** How long a text must go on failing before it is given up: what goes short of memory for long texts recovers, which may take a while. */
const lastingMs = 3_600_000
/** Of more texts that fail at a time the oldest start anew. */
const mostFailing = 1_000

/**
 * The same provider, which tells whether a text that fails alone is at fault, by known ones: where they fail too, the provider is. A text that
 * it refuses while it takes them is given up (`refused`); one that it fails on otherwise is `unclear` and asked for again, and given up
 * where that lasts. Lists are left as they are: who needs to know asks text by text. So are questions, which cannot wait.
 * `now` is a monotonic clock in milliseconds.
 */
export function doubtRefusals(
  provider: EmbeddingProvider,
  { now } = { now: () => performance.now() },
): EmbeddingProvider {
  /** By the text's digest, since when. */
  const failingSince = new Map<string, number>()

  function isLasting(text: string): boolean {
    const digest = digestOf(text)
    const sinceMs = failingSince.get(digest) ?? now()
    failingSince.set(digest, sinceMs)
    if (failingSince.size > mostFailing) failingSince.delete([...failingSince.keys()][0] ?? digest)
    return now() - sinceMs >= lastingMs
  }

  return wrapProvider(provider, {
    async embed(texts, kind, signal) {
      const [text = ''] = texts
      try {
        const embedded = await provider.embed(texts, kind, signal)
        if (failingSince.size > 0) for (const each of texts) failingSince.delete(digestOf(each))
        return embedded
      } catch (error) {
        if (kind === 'query' || texts.length !== 1 || !mayBeOneText(error)) throw error
        await embedKnown(provider, signal)
        throw error.reason === 'refused'
          ? error
          : new EmbeddingError(isLasting(text) ? 'refused' : 'unclear', error.code)
      }
    },
  })
}

const digestOf = (text: string): string => sha256(text).toString('base64')

async function embedKnown(provider: EmbeddingProvider, signal: AbortSignal | undefined): Promise<void> {
  try {
    await provider.embed(knownTexts, 'document', signal)
  } catch (error) {
    const isRefused = error instanceof EmbeddingError && error.reason === 'refused'
    throw isRefused ? new EmbeddingError('unavailable', error.code, error.retryAfterMs) : error
  }
}

export interface ApartTexts {
  /** In the order of the texts; undefined where the model knows nothing of a text, or will not take it. */
  vectors: (Float32Array | undefined)[]
  /** Why some text has none, where the model would not take it: asking again is useless. */
  refusal: string | undefined
}

/**
 * Vectors of stored texts, some of which the model may never take: what fails together is sent again text by text, so that one costs
 * the others nothing. Rejects as `embed` does for all that may pass. That a refusal of one text is meant is the provider's word (doubt-refusals.ts).
 */
export async function embedApart(
  provider: EmbeddingProvider,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<ApartTexts> {
  const all: ApartTexts = { vectors: [], refusal: undefined }
  for (let start = 0; start < texts.length; start += provider.batchSize) {
    const batch = texts.slice(start, start + provider.batchSize)
    const { vectors, refusal } = await embedBatch(provider, batch, signal)
    all.vectors.push(...vectors)
    all.refusal ??= refusal
  }
  return all
}

async function embedBatch(
  provider: EmbeddingProvider,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ApartTexts> {
  try {
    const { vectors } = await provider.embed(texts, 'document', signal)
    return { vectors, refusal: undefined }
  } catch (error) {
    if (!mayBeOneText(error) || (texts.length === 1 && error.reason !== 'refused')) throw error
    if (texts.length > 1) return embedEach(provider, texts, signal)
    return { vectors: [undefined], refusal: error.code }
  }
}

async function embedEach(
  provider: EmbeddingProvider,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ApartTexts> {
  const all: ApartTexts = { vectors: [], refusal: undefined }
  for (const text of texts) {
    const { vectors, refusal } = await embedBatch(provider, [text], signal)
    all.vectors.push(...vectors)
    all.refusal ??= refusal
  }
  return all
}
