import type { EmbeddingProvider } from '../embeddings/provider.ts'

/** The same provider for the calls of one user, whose tokens it reports. */
export function meterEmbeddings(provider: EmbeddingProvider, report: (tokens: number) => void): EmbeddingProvider {
  const { id, calibration, isMeanOfWords, maxInputChars, batchSize } = provider
  return {
    id,
    calibration,
    isMeanOfWords,
    get maxTokens() {
      return provider.maxTokens
    },
    maxInputChars,
    batchSize,
    get dims() {
      return provider.dims
    },
    async embed(texts, kind, signal) {
      const embedded = await provider.embed(texts, kind, signal)
      if (embedded.tokens > 0) report(embedded.tokens)
      return embedded
    },
  }
}
