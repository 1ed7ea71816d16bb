import { resolve } from 'node:path'
import { z } from 'zod'
import { readKnots } from './calibration.ts'
import type { EmbeddingSettings } from './create-provider.ts'
import type { UseSettings } from './model-use.ts'
import { maxDims } from './provider.ts'

/** The settings of embedding models, for `config.ts`. */

/** `\n` is a line break, because many places where variables are set have no other way to write one. */
const prefix = (texts: string) =>
  z
    .string()
    .transform((text) => text.replaceAll('\\n', '\n'))
    .optional()
    .describe(
      `What the model reads before ${texts}; \`\\n\` is a line break. Set but empty: nothing. Default: what the model expects, if known.`,
    )

/** How a model is used. */
export const useVariables = {
  HOLDFAST_EMBEDDINGS_QUERY_PREFIX: prefix('questions'),
  HOLDFAST_EMBEDDINGS_DOCUMENT_PREFIX: prefix('stored texts'),
  HOLDFAST_EMBEDDINGS_DIMS: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxDims)
    .optional()
    .describe(
      'Cuts vectors to their first numbers, as many as this, to save memory. Only for models with Matryoshka training. Default: all.',
    ),
  HOLDFAST_EMBEDDINGS_CALIBRATION: z
    .string()
    .refine(
      (text) => readKnots(text) !== undefined,
      'must be pairs such as 0.3:0.4,0.9:0.95: both numbers rise from pair to pair, cosines are -1 to 1, similarities 0 to 1',
    )
    .optional()
    .describe(
      "Maps the model's cosines to similarities, as cosine:similarity pairs. Default: measured for the built-in model, otherwise estimated.",
    ),
} as const

/** Their texts count as they are: an empty prefix replaces the model's, and most prefixes end with a space. */
export const exactVariables: ReadonlySet<string> = new Set([
  'HOLDFAST_EMBEDDINGS_QUERY_PREFIX',
  'HOLDFAST_EMBEDDINGS_DOCUMENT_PREFIX',
])

type Setting = `HOLDFAST_EMBEDDINGS_${'URL' | 'KEY' | 'MODEL'}` | keyof typeof useVariables

const ofModels = Object.keys(useVariables) as (keyof typeof useVariables)[]

/** The settings that each provider needs, and optional ones. Any other would have no effect. */
const settingsOf: Record<EmbeddingSettings['provider'], { needed: readonly Setting[]; taken: readonly Setting[] }> = {
  none: { needed: [], taken: [] },
  static: { needed: [], taken: ['HOLDFAST_EMBEDDINGS_CALIBRATION'] },
  openai: {
    needed: ['HOLDFAST_EMBEDDINGS_URL', 'HOLDFAST_EMBEDDINGS_MODEL'],
    taken: ['HOLDFAST_EMBEDDINGS_KEY', ...ofModels],
  },
  transformers: { needed: ['HOLDFAST_EMBEDDINGS_MODEL'], taken: ofModels },
}

const allSettings = settingsOf.openai.needed.concat(settingsOf.openai.taken)

export const defaultProvider = 'static' satisfies EmbeddingSettings['provider']

/** Problems with the combination of settings. An unknown provider is reported elsewhere. */
export function findEmbeddingProblems(
  given: Partial<Record<Setting | 'HOLDFAST_EMBEDDINGS', string | undefined>>,
): string[] {
  const { HOLDFAST_EMBEDDINGS: provider = defaultProvider } = given
  if (!isProvider(provider)) return []
  // An empty prefix has no effect either.
  const vain = unusedSettings(provider).filter((name) => (given[name] ?? '') !== '')
  const missing = settingsOf[provider].needed.filter((name) => given[name] === undefined)
  return [
    ...vain.map((name) => `${name} is set, but HOLDFAST_EMBEDDINGS is "${provider}", which does not use it`),
    ...missing.map((name) => `${name}: needed with HOLDFAST_EMBEDDINGS=${provider}`),
  ]
}

const isProvider = (name: string): name is EmbeddingSettings['provider'] => Object.hasOwn(settingsOf, name)

/** The settings of an embedding provider that this provider doesn't use. */
export const unusedSettings = (provider: string): readonly Setting[] => {
  if (!isProvider(provider)) return []
  const { needed, taken } = settingsOf[provider]
  return allSettings.filter((name) => ![...needed, ...taken].includes(name))
}

/** Expects settings without problems. */
export function readEmbeddings(values: Values): EmbeddingSettings {
  const { HOLDFAST_EMBEDDINGS: provider, HOLDFAST_EMBEDDINGS_CALIBRATION: knots } = values
  const { HOLDFAST_EMBEDDINGS_URL: url = '', HOLDFAST_EMBEDDINGS_MODEL: model = '' } = values
  const calibration = knots === undefined ? undefined : readKnots(knots)
  if (provider === 'none') return { provider }
  if (provider === 'static') return { provider, calibration }
  const use = { prefixes: readPrefixes(values), dims: values.HOLDFAST_EMBEDDINGS_DIMS }
  if (provider === 'transformers') return { provider, folder: resolve(model), calibration, ...use }
  return { provider, url, key: values.HOLDFAST_EMBEDDINGS_KEY, model, calibration, ...use }
}

type Values = { HOLDFAST_EMBEDDINGS: EmbeddingSettings['provider']; HOLDFAST_EMBEDDINGS_DIMS?: number | undefined } & {
  [name in Exclude<Setting, 'HOLDFAST_EMBEDDINGS_DIMS'>]?: string | undefined
}

function readPrefixes({
  HOLDFAST_EMBEDDINGS_QUERY_PREFIX: query,
  HOLDFAST_EMBEDDINGS_DOCUMENT_PREFIX: document,
}: Values): UseSettings['prefixes'] {
  if (query === undefined && document === undefined) return undefined
  return { ...(query !== undefined && { query }), ...(document !== undefined && { document }) }
}
