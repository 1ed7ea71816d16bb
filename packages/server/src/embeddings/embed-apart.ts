import { EmbeddingError, type EmbeddingProvider } from './provider.ts'

export interface ApartTexts {
  /** In the order of the texts; undefined where the model knows nothing of a text, or will not take it. */
  vectors: (Float32Array | undefined)[]
  /** Why some text has none, where the model would not take it: asking again is useless. */
  refusal: string | undefined
}

/**
 * Vectors of stored texts, some of which the model may never take: what is refused together is sent again text by text, so that one costs
 * the others nothing. Rejects as `embed` does for all that may pass.
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
    if (!(error instanceof EmbeddingError) || !mayBeOneText(error)) throw error
    if (texts.length > 1) return embedEach(provider, texts, signal)
    if (isUnusable(error)) await refuseBroken(provider, signal)
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

const unusableNumbers = new Set(['not_finite', 'zero_vector'])

const isUnusable = ({ code }: EmbeddingError) => unusableNumbers.has(code)

const mayBeOneText = (error: EmbeddingError) => error.reason === 'refused' || isUnusable(error)

/**
 * A model that has unusable numbers for any text is broken, and will be mended: then no text is given up. Two texts, as a failure of
 * several counts against the provider.
 */
const refuseBroken = (provider: EmbeddingProvider, signal: AbortSignal | undefined) =>
  provider.embed(['The sun is out.', 'Is anybody there?'], 'document', signal)
