import { mayBeOneText } from './doubt-refusals.ts'
import type { EmbeddingProvider } from './provider.ts'

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
