import { pauses } from '../core/pauses.ts'
import { createCalibration, type Calibration } from './calibration.ts'
import { isMostlyLatin } from './latin-text.ts'
import { cutText, EmbeddingError, type EmbeddingProvider } from './provider.ts'
import { loadStaticModel, type StaticModel } from './static-model.ts'

/** The name of the generation of vectors: another table is another model. */
const modelId = 'static/holdfast-256-1'
const maxInputChars = 20_000
const batchSize = 32

/**
 * The default thresholds of memories and notes, 0.4 and 0.5, lie where this model's noise ends: leaving out what lies under
 * the cosines 0.30 and 0.37 cost at most 0.2 points of recall@10 on five sets, 0.40 up to 1.1. What dedup asks for, 0.88 and
 * 0.95, is fitted (scripts/fit-calibration.ts) on the 8,628 English pairs of the STS benchmark, where it has Spearman 0.77;
 * the same fit gives 0.29 and 0.37 for the other two.
 */
const ownCalibration = createCalibration([
  [0.3, 0.4],
  [0.37, 0.5],
  [0.88, 0.88],
  [0.95, 0.95],
])

interface Options {
  /** Default: the model's own. */
  calibration?: Calibration | undefined
  /** Default: the table that lies in the package. */
  load?: () => StaticModel
}

/**
 * The built-in model as a provider: always there, no request, no wait. Its file is read by the first call, as commands that
 * embed nothing need not wait for it.
 */
export function createStaticProvider({
  calibration = ownCalibration,
  load = loadStaticModel,
}: Options = {}): EmbeddingProvider {
  let loaded: StaticModel | undefined
  const model = (): StaticModel => {
    try {
      return (loaded ??= load())
    } catch {
      throw new EmbeddingError('unavailable', 'model_file')
    }
  }
  // Of all calls together: whoever embeds a long text makes many of them, one behind the other.
  const pause = pauses()
  return {
    id: modelId,
    isMeanOfWords: true,
    get dims() {
      return loaded?.dims
    },
    calibration,
    maxTokens: undefined,
    maxInputChars,
    batchSize,
    async embed(texts, kind, signal) {
      const vectors: (Float32Array | undefined)[] = []
      let tokens = 0
      for (const text of texts) {
        await pause()
        signal?.throwIfAborted()
        const cut = cutText(text, maxInputChars)
        const embedded = model().embed(cut)
        // Questions alone: the vectors of such texts still tell copies of them.
        vectors.push(kind === 'query' && !isMostlyLatin(cut) ? undefined : embedded.vector)
        tokens += embedded.tokens
      }
      return { vectors, tokens }
    },
  }
}
