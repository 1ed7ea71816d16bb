import type { EmbeddingProvider } from './provider.ts'
import { wrapProvider } from './wrap-provider.ts'

/** Past these nothing more is remembered: a request that writes so many texts rarely repeats one. */
const mostTexts = 256

/** The same provider for the length of one request: a text that comes again, in one call or another, is not embedded again. */
export function embedOnce(provider: EmbeddingProvider): EmbeddingProvider {
  // Made for each request, of which few embed anything.
  const known = new Map<string, Float32Array | undefined>()
  return wrapProvider(provider, {
    async embed(texts, kind, signal) {
      const nameOf = (text: string) => `${kind} ${text}`
      const unknown = [...new Set(texts)].filter((text) => !known.has(nameOf(text)))
      const embedded = unknown.length === 0 ? noTexts : await provider.embed(unknown, kind, signal)
      const fresh = new Map(unknown.map((text, at) => [text, embedded.vectors[at]]))
      const vectors = texts.map((text) => (fresh.has(text) ? fresh.get(text) : known.get(nameOf(text))))
      for (const [text, vector] of fresh) if (known.size < mostTexts) known.set(nameOf(text), vector)
      return { vectors, tokens: embedded.tokens }
    },
  })
}

const noTexts = { vectors: [], tokens: 0 }
