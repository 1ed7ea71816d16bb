import { withBreaker } from './breaker.ts'
import { createOpenAiCompatible } from './openai-compatible.ts'
import type { EmbeddingProvider } from './provider.ts'

export type EmbeddingSettings =
  | { provider: 'none' }
  | { provider: 'openai'; url: string; key: string | undefined; model: string }

/** The provider of the settings, behind its breaker; undefined where there is none. Opens no connection. */
export function createProvider(settings: EmbeddingSettings): EmbeddingProvider | undefined {
  if (settings.provider === 'none') return undefined
  return withBreaker(createOpenAiCompatible(settings), { now: () => performance.now() })
}
