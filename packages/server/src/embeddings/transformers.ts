import { basename } from 'node:path'
import type { Calibration } from './calibration.ts'
import { guessCalibration } from './calibration.ts'
import { readFolderUse } from './folder-use.ts'
import { nameModel } from './model-folder.ts'
import { nameUse, type ModelUse, type UseSettings } from './model-use.ts'
import { ModelProcess, type Job } from './model-process.ts'
import { cutText, EmbeddingError } from './provider.ts'
import type { EmbeddedTexts, EmbeddingProvider, TextKind } from './provider.ts'

/**
 * A model in a local folder, such as all-MiniLM-L6-v2 in ONNX format, through the package @huggingface/transformers, which is not
 * installed with the server. The first call loads it in a separate process, as does the first call after that process has died. Nothing
 * is downloaded.
 */
export interface TransformersOptions extends UseSettings {
  /** Contains config.json, tokenizer.json and onnx/model_quantized.onnx or onnx/model.onnx. */
  folder: string
  /** Default: a guess by the folder's name. */
  calibration?: Calibration | undefined
  /** Where the package is imported from. */
  packageName?: string
  timeoutsMs?: Readonly<Record<TextKind | 'answer', number>>
}

/** How long a caller waits for each batch, including loading. `answer`: how long the process may take before it is killed. */
const defaultTimeoutsMs = { query: 800, document: 5000, answer: 120_000 }

const maxInputChars = 20_000
/** About 0.1 s of work for a small model on one core, after which a waiting question goes first. */
const batchSize = 8

export function createTransformers(options: TransformersOptions): EmbeddingProvider {
  const { folder, packageName = '@huggingface/transformers', timeoutsMs = defaultTimeoutsMs } = options
  // Computed once, because they must not change while a model is in use.
  let id: string | undefined
  let use: ModelUse | undefined
  const readUse = () => (use ??= readFolderUse(folder, options))
  const model = new ModelProcess({ folder, packageName, answerMs: timeoutsMs.answer, readUse })
  const embedBatch = (texts: readonly string[], kind: TextKind, signal?: AbortSignal) =>
    askInTime(
      model,
      texts.map((text) => readUse().prefixes[kind] + cutText(text, maxInputChars)),
      { kind, timeoutMs: timeoutsMs[kind], signal },
    )
  return {
    get id() {
      return (id ??= nameUse(`transformers/${nameModel(folder)}`, readUse()))
    },
    isMeanOfWords: false,
    calibration: options.calibration ?? guessCalibration(basename(folder)),
    get dims() {
      return model.dims
    },
    get maxTokens() {
      return model.maxTokens
    },
    maxInputChars,
    batchSize,
    async embed(texts, kind, signal) {
      const result: EmbeddedTexts = { vectors: [], tokens: 0 }
      for (let start = 0; start < texts.length; start += batchSize) {
        const batch = await embedBatch(texts.slice(start, start + batchSize), kind, signal)
        result.vectors.push(...batch.vectors)
        result.tokens += batch.tokens
      }
      return result
    },
    stop: () => model.stop(),
  }
}

async function askInTime(
  model: ModelProcess,
  texts: string[],
  { kind, timeoutMs, signal }: { kind: TextKind; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<EmbeddedTexts> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<EmbeddedTexts>()
  const job: Job = {
    texts,
    kind,
    settle: (outcome) => (outcome instanceof EmbeddingError ? reject(outcome) : resolve(outcome)),
  }
  const timeout = setTimeout(() => reject(new EmbeddingError('timeout', `${kind}_timeout`)), timeoutMs)
  const giveUp = () => reject(signal?.reason)
  signal?.addEventListener('abort', giveUp)
  try {
    model.add(job)
    return await promise
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener('abort', giveUp)
    model.drop(job)
  }
}
