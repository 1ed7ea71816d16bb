import { withBreaker } from './breaker.ts'
import { createCalibration, type Calibration, type Knot } from './calibration.ts'
import { doubtRefusals } from './doubt-refusals.ts'
import { createOpenAiCompatible } from './openai-compatible.ts'
import type { EmbeddingProvider } from './provider.ts'
import { createStaticProvider } from './static-provider.ts'
import { createTransformers } from './transformers.ts'

/** `calibration`: in place of what is known of the model. */
export type EmbeddingSettings =
  | { provider: 'none' }
  | { provider: 'static'; calibration?: readonly Knot[] | undefined }
  | {
      provider: 'openai'
      url: string
      key: string | undefined
      model: string
      calibration?: readonly Knot[] | undefined
    }
  | { provider: 'transformers'; folder: string; calibration?: readonly Knot[] | undefined }

/**
 * The provider of the settings, behind its breaker; undefined where there is none. Opens no connection and loads no model: that
 * is for the first call.
 */
export function createProvider(settings: EmbeddingSettings): EmbeddingProvider | undefined {
  if (settings.provider === 'none') return undefined
  const calibration = settings.calibration && createCalibration(settings.calibration)
  const clock = { now: () => performance.now() }
  return withBreaker(doubtRefusals(choose(settings, calibration), clock), clock)
}

function choose(
  settings: Exclude<EmbeddingSettings, { provider: 'none' }>,
  calibration: Calibration | undefined,
): EmbeddingProvider {
  if (settings.provider === 'static') return createStaticProvider({ calibration })
  if (settings.provider === 'openai') return createOpenAiCompatible({ ...settings, calibration })
  return createTransformers({ folder: settings.folder, calibration })
}
