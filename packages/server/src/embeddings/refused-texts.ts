import { sha256 } from '../crypto/hash.ts'
import { EmbeddingError, type EmbeddingProvider, wrapProvider } from './provider.ts'

/** Plain texts that any working model accepts. Two, because a bad answer for several texts is the provider's fault. */
const knownTexts = ['The sun is out.', 'Is anybody there?']

/** Codes that one text can cause besides a refusal: servers that fail on NaN or write it as invalid JSON, models that throw. */
const codesOfOneText = new Set(['not_finite', 'zero_vector', 'not_json', 'not_embeddings', 'http_500', 'model_failed'])

/** Whether a single text may have caused the failure. */
const mayBeOneText = (error: unknown): error is EmbeddingError =>
  error instanceof EmbeddingError && (error.reason === 'refused' || codesOfOneText.has(error.code))

/** How long a text must keep failing before we give up on it. A server that runs out of memory for long texts may recover. */
const lastingMs = 3_600_000
/** With more failing texts at once, the oldest are forgotten. */
const maxFailing = 1_000

/**
 * Finds out whether a single text or the provider is at fault, by embedding known texts after a failure. If those fail too, it is the
 * provider. Otherwise a refused text is `refused`, and any other failure is `unclear`: the text is tried again later and becomes `refused`
 * if it keeps failing. Doesn't check lists, whose callers retry text by text, nor questions, which can't wait. `now` is a monotonic
 * clock in milliseconds.
 */
export function verifyRefusals(
  provider: EmbeddingProvider,
  { now } = { now: () => performance.now() },
): EmbeddingProvider {
  /** When each text began to fail, by its digest. */
  const failingSince = new Map<string, number>()

  function isLasting(text: string): boolean {
    const digest = digestOf(text)
    const sinceMs = failingSince.get(digest) ?? now()
    failingSince.set(digest, sinceMs)
    if (failingSince.size > maxFailing) failingSince.delete([...failingSince.keys()][0] ?? digest)
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
  /** In the order of the texts; undefined if the model knows none of a text's words or refuses it. */
  vectors: (Float32Array | undefined)[]
  /** The code of a refusal, if the model refused a text. A retry is useless. */
  refusal: string | undefined
}

/**
 * Embeds stored texts, some of which the model may refuse. If a batch fails, its texts are sent one by one, so that one text doesn't
 * affect the others. Rejects like `embed` for failures that may pass.
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
