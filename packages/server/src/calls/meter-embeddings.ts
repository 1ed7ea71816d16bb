import type { EmbeddingProvider } from '../embeddings/provider.ts'
import { wrapProvider } from '../embeddings/wrap-provider.ts'

/** The same provider for the calls of one user, whose tokens it reports. */
export function meterEmbeddings(provider: EmbeddingProvider, report: (tokens: number) => void): EmbeddingProvider {
  return wrapProvider(provider, {
    async embed(texts, kind, signal) {
      const embedded = await provider.embed(texts, kind, signal)
      if (embedded.tokens > 0) report(embedded.tokens)
      return embedded
    },
  })
}
