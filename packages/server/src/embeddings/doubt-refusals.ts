import { EmbeddingError, type EmbeddingProvider } from './provider.ts'
import { wrapProvider } from './wrap-provider.ts'

/** Short and plain: a model that takes anything takes these. Two, as what is unusable of several texts is the provider's own fault. */
const knownTexts = ['The sun is out.', 'Is anybody there?']

/** Besides refusals: servers that write NaN as no JSON, or fail where they try to; models that throw. */
const codesOfOneText = new Set(['not_finite', 'zero_vector', 'not_json', 'not_embeddings', 'http_500', 'model_failed'])

/** Whether a failure may be the fault of one text alone. */
export const mayBeOneText = (error: unknown): error is EmbeddingError =>
  error instanceof EmbeddingError && (error.reason === 'refused' || codesOfOneText.has(error.code))

/**
 * The same provider, which gives up a text only where it takes others. An endpoint whose model is gone refuses everything: that passes,
 * and is `unavailable`. The other way round, one text that it fails on twice, and known ones between not, is `refused`: it would
 * wait for ever. Lists are left as they are: who needs to know asks text by text.
 */
export const doubtRefusals = (provider: EmbeddingProvider): EmbeddingProvider =>
  wrapProvider(provider, {
    async embed(texts, kind, signal) {
      try {
        return await provider.embed(texts, kind, signal)
      } catch (error) {
        if (texts.length !== 1 || !mayBeOneText(error)) throw error
        await embedKnown(provider, signal)
        if (error.reason === 'refused') throw error
      }
      try {
        return await provider.embed(texts, kind, signal)
      } catch (error) {
        throw mayBeOneText(error) ? new EmbeddingError('refused', error.code) : error
      }
    },
  })

async function embedKnown(provider: EmbeddingProvider, signal: AbortSignal | undefined): Promise<void> {
  try {
    await provider.embed(knownTexts, 'document', signal)
  } catch (error) {
    const isRefused = error instanceof EmbeddingError && error.reason === 'refused'
    throw isRefused ? new EmbeddingError('unavailable', error.code, error.retryAfterMs) : error
  }
}
