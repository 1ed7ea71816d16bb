import { setImmediate } from 'node:timers/promises'
import { cutText, type EmbeddingProvider } from './provider.ts'
import type { StaticModel } from './static-model.ts'

/** The name of the generation of vectors: another table is another model. */
const modelId = 'static/holdfast-256-1'
const maxInputChars = 20_000
/** Some 5 ms of work, after which other requests get their turn. */
const batchSize = 32

/** The built-in model as a provider: always there, no request, no wait. */
export const createStaticProvider = (model: StaticModel): EmbeddingProvider => ({
  id: modelId,
  dims: model.dims,
  maxInputChars,
  batchSize,
  async embed(texts, _kind, signal) {
    const vectors: (Float32Array | undefined)[] = []
    let tokens = 0
    for (const [at, text] of texts.entries()) {
      if (at > 0 && at % batchSize === 0) await setImmediate()
      signal?.throwIfAborted()
      const embedded = model.embed(cutText(text, maxInputChars))
      vectors.push(embedded.vector)
      tokens += embedded.tokens
    }
    return { vectors, tokens }
  },
})
