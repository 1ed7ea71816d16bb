import { withBreaker } from './breaker.ts'
import { createOpenAiCompatible } from './openai-compatible.ts'
import type { EmbeddingProvider } from './provider.ts'
import { loadStaticModel } from './static-model.ts'
import { createStaticProvider } from './static-provider.ts'

export type EmbeddingSettings =
  | { provider: 'none' }
  | { provider: 'static' }
  | { provider: 'openai'; url: string; key: string | undefined; model: string }

/** The provider of the settings, behind its breaker; undefined where there is none. Opens no connection; the built-in model is read here, in some 60 ms. */
export function createProvider(settings: EmbeddingSettings): EmbeddingProvider | undefined {
  if (settings.provider === 'none') return undefined
  // Needs no breaker: nothing of it can be away.
  if (settings.provider === 'static') return createStaticProvider(loadStaticModel())
  return withBreaker(createOpenAiCompatible(settings), { now: () => performance.now() })
}
