import { withBreaker } from './breaker.ts'
import { createCalibration, type Knot, readKnots } from './calibration.ts'
import { verifyRefusals } from './refused-texts.ts'
import { createOpenAiCompatible } from './openai-compatible.ts'
import type { EmbeddingProvider } from './provider.ts'
import { createStaticProvider } from './static-model.ts'
import { createTransformers } from './transformers.ts'
import { resolve } from 'node:path'

/** `calibration` replaces the model's default. */
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
 * The configured provider; undefined if there is none. The first call opens connections and loads the model. The built-in model can't
 * go down or refuse a text, so it needs no breaker.
 */
export function createProvider(settings: EmbeddingSettings): EmbeddingProvider | undefined {
  if (settings.provider === 'none') return undefined
  const calibration = settings.calibration && createCalibration(settings.calibration)
  if (settings.provider === 'static') return createStaticProvider({ calibration })
  const provider =
    settings.provider === 'openai'
      ? createOpenAiCompatible({ ...settings, calibration })
      : createTransformers({ folder: settings.folder, calibration })
  return withBreaker(verifyRefusals(provider))
}

type Setting = `HOLDFAST_EMBEDDINGS_${'URL' | 'KEY' | 'MODEL' | 'CALIBRATION'}`

/** The settings that each provider needs, and optional ones. Any other would have no effect. */
const settingsOf: Record<EmbeddingSettings['provider'], { needed: readonly Setting[]; taken: readonly Setting[] }> = {
  none: { needed: [], taken: [] },
  static: { needed: [], taken: ['HOLDFAST_EMBEDDINGS_CALIBRATION'] },
  openai: {
    needed: ['HOLDFAST_EMBEDDINGS_URL', 'HOLDFAST_EMBEDDINGS_MODEL'],
    taken: ['HOLDFAST_EMBEDDINGS_KEY', 'HOLDFAST_EMBEDDINGS_CALIBRATION'],
  },
  transformers: { needed: ['HOLDFAST_EMBEDDINGS_MODEL'], taken: ['HOLDFAST_EMBEDDINGS_CALIBRATION'] },
}

const allSettings = settingsOf.openai.needed.concat(settingsOf.openai.taken)

export const defaultProvider = 'static' satisfies EmbeddingSettings['provider']

/** Problems with the combination of settings. An unknown provider is reported elsewhere. */
export function findEmbeddingProblems(
  given: Partial<Record<Setting | 'HOLDFAST_EMBEDDINGS', string | undefined>>,
): string[] {
  const { HOLDFAST_EMBEDDINGS: provider = defaultProvider } = given
  if (!isProvider(provider)) return []
  const { needed, taken } = settingsOf[provider]
  const vain = allSettings.filter((name) => given[name] !== undefined && ![...needed, ...taken].includes(name))
  const missing = needed.filter((name) => given[name] === undefined)
  return [
    ...vain.map((name) => `${name} is set, but HOLDFAST_EMBEDDINGS is "${provider}", which does not use it`),
    ...missing.map((name) => `${name}: needed with HOLDFAST_EMBEDDINGS=${provider}`),
  ]
}

const isProvider = (name: string): name is EmbeddingSettings['provider'] => Object.hasOwn(settingsOf, name)

export const isCalibration = (text: string) => readKnots(text) !== undefined

/** Expects settings without problems. */
export function readEmbeddings(
  values: { HOLDFAST_EMBEDDINGS: EmbeddingSettings['provider'] } & { [name in Setting]?: string | undefined },
): EmbeddingSettings {
  const { HOLDFAST_EMBEDDINGS: provider, HOLDFAST_EMBEDDINGS_CALIBRATION: knots } = values
  const { HOLDFAST_EMBEDDINGS_URL: url = '', HOLDFAST_EMBEDDINGS_MODEL: model = '' } = values
  const calibration = knots === undefined ? undefined : readKnots(knots)
  if (provider === 'none') return { provider }
  if (provider === 'static') return { provider, calibration }
  if (provider === 'transformers') return { provider, folder: resolve(model), calibration }
  return { provider, url, key: values.HOLDFAST_EMBEDDINGS_KEY, model, calibration }
}
