import type { Log } from '../core/log.ts'
import { EmbeddingError, type EmbeddingProvider } from './provider.ts'
import { failed, ok, type Finding } from '../core/finding.ts'

/** What whoever runs the server can do about a failure, by its code; empty where nothing is to be done but wait. */
export const adviceFor = (code: string): string => advice[code] ?? ''

const checkUrl = 'HOLDFAST_EMBEDDINGS_URL must end before /embeddings, and that server must run and know the model'
const checkKey = 'the endpoint does not take HOLDFAST_EMBEDDINGS_KEY'

const advice: Readonly<Record<string, string>> = {
  package_missing: 'install the package beside the server: npm install @huggingface/transformers@4',
  model_folder:
    'HOLDFAST_EMBEDDINGS_MODEL must name a folder with config.json, tokenizer.json and onnx/model_quantized.onnx or onnx/model.onnx',
  model_pooling:
    'the model in HOLDFAST_EMBEDDINGS_MODEL pools otherwise than by the mean of its tokens (1_Pooling/config.json): choose one that takes the mean',
  model_unusable: 'the files in HOLDFAST_EMBEDDINGS_MODEL are no model that @huggingface/transformers can load',
  model_file: 'the file of the built-in model is missing or damaged: install the server again',
  wrong_dims: 'its vectors have another length than before: restart the server, and all records are embedded anew',
  too_many_dims: 'its vectors have more than 4,096 numbers, the most that are kept: choose another model',
  http_400: 'the endpoint takes no text at all: check HOLDFAST_EMBEDDINGS_MODEL',
  ECONNREFUSED: checkUrl,
  ENOTFOUND: checkUrl,
  http_404: checkUrl,
  http_401: checkKey,
  http_403: checkKey,
}

/**
 * Asks the provider for one vector, so that one which does not answer is known before anybody searches. The start does not
 * wait for the answer; it never rejects: the failure is left for readiness and status to tell.
 */
export function askAtStart(provider: EmbeddingProvider, log: Log) {
  const asking = new AbortController()
  const answer = ask(provider, log, asking.signal)
  return {
    answer,
    async stop(): Promise<void> {
      asking.abort()
      await answer
    },
  }
}

async function ask(provider: EmbeddingProvider, log: Log, signal: AbortSignal): Promise<void> {
  try {
    await provider.embed(['Is anybody there?'], 'document', signal)
  } catch (error) {
    if (signal.aborted) return
    const code = error instanceof EmbeddingError ? error.code : 'unforeseen'
    const message = 'the embedding provider does not answer: records wait for vectors, searches go by words'
    log.warn(message, { code, advice: adviceFor(code), ...(code === 'unforeseen' && { error }) })
  }
}

interface EmbeddingsState {
  /** Provider and model; null where none is configured. */
  embeddings: string | null
  embeddingsFailure: { code: string; advice: string } | null
  records: number
  vectorsMissing: number
}

/** Once something was to be embedded: before, nobody knows whether the provider answers. */
export function checkEmbeddings({ embeddings, embeddingsFailure, records, vectorsMissing }: EmbeddingsState): Finding {
  if (embeddings === null) return ok('embeddings', 'none configured: searches go by words and links')
  if (embeddingsFailure !== null)
    return failed(
      'embeddings',
      `${embeddings} does not answer (${embeddingsFailure.code}).`,
      embeddingsFailure.advice || 'Check HOLDFAST_EMBEDDINGS_URL, _KEY and _MODEL.',
    )
  if (vectorsMissing > 0)
    return ok('embeddings', `${embeddings}; ${vectorsMissing} of ${records} records wait for their vectors`)
  return ok('embeddings', `${embeddings}, all ${records} records done`)
}
