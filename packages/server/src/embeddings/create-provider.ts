import { withBreaker } from './breaker.ts'
import { createCalibration, type Knot } from './calibration.ts'
import { verifyRefusals } from './refused-texts.ts'
import { readFolderUse } from './folder-use.ts'
import { createOpenAiCompatible, useEndpoint } from './openai-compatible.ts'
import type { ModelUse, UseSettings } from './model-use.ts'
import type { EmbeddingProvider } from './provider.ts'
import { createStaticProvider } from './static-model.ts'
import { createTransformers } from './transformers.ts'

/** They replace the model's defaults. */
interface Calibrated {
  calibration?: readonly Knot[] | undefined
}

export type EmbeddingSettings =
  | { provider: 'none' }
  | (Calibrated & { provider: 'static' })
  | (Calibrated & UseSettings & { provider: 'openai'; url: string; key: string | undefined; model: string })
  | (Calibrated & UseSettings & { provider: 'transformers'; folder: string })

/**
 * The configured provider; undefined if there is none. The first call opens connections and loads the model. The built-in model can't
 * go down or refuse a text, so it needs no breaker.
 */
export function createProvider(settings: EmbeddingSettings): EmbeddingProvider | undefined {
  const provider = createModel(settings)
  return provider === undefined || settings.provider === 'static' ? provider : withBreaker(verifyRefusals(provider))
}

/** The provider alone, for a caller that wants every failure at once. `timeoutMs`: for each request. Default: the provider's. */
export function createModel(settings: EmbeddingSettings, timeoutMs?: number): EmbeddingProvider | undefined {
  if (settings.provider === 'none') return undefined
  const calibration = settings.calibration && createCalibration(settings.calibration)
  if (settings.provider === 'static') return createStaticProvider({ calibration })
  const timeoutsMs =
    timeoutMs === undefined ? {} : { timeoutsMs: { query: timeoutMs, document: timeoutMs, answer: timeoutMs } }
  return settings.provider === 'openai'
    ? createOpenAiCompatible({ ...settings, calibration, ...timeoutsMs })
    : createTransformers({ ...settings, calibration, ...timeoutsMs })
}

/** How the configured model is used; undefined for the built-in one, which has nothing to choose. */
export function readUse(settings: EmbeddingSettings): ModelUse | undefined {
  if (settings.provider === 'openai') return useEndpoint(settings.model, settings)
  return settings.provider === 'transformers' ? readFolderUse(settings.folder, settings) : undefined
}
