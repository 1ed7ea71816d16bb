import type { Log } from '../core/log.ts'
import { EmbeddingError, type EmbeddingProvider } from './provider.ts'
import { failed, ok, type Finding } from '../core/finding.ts'

/** What the operator can do about a failure, by its code. Empty if waiting is all one can do. */
export const adviceFor = (code: string): string => advice[code] ?? ''

const checkUrl = 'HOLDFAST_EMBEDDINGS_URL must end before /embeddings, and that server must run and know the model'
const checkKey = 'the endpoint rejects HOLDFAST_EMBEDDINGS_KEY'

const takesLong = 'the model takes too long: wait if it is still being loaded, or choose a smaller one'

const advice: Readonly<Record<string, string>> = {
  package_missing: 'install the package next to the server: npm install @huggingface/transformers@4',
  model_folder:
    'HOLDFAST_EMBEDDINGS_MODEL must name a folder with config.json, tokenizer.json and onnx/model_quantized.onnx or onnx/model.onnx, which the server may read',
  model_pooling:
    'the model in HOLDFAST_EMBEDDINGS_MODEL uses a pooling that is not supported (1_Pooling/config.json): choose one that uses the mean, the first or the last token',
  model_unusable: '@huggingface/transformers cannot load the model in HOLDFAST_EMBEDDINGS_MODEL',
  model_file: 'the file of the built-in model is missing or damaged: reinstall the server',
  wrong_dims: 'its vectors have a different length than before: restart the server to embed all records again',
  mixed_dims:
    'its vectors are empty, or differ in length from text to text: check that HOLDFAST_EMBEDDINGS_MODEL is an embedding model',
  too_few_dims: 'HOLDFAST_EMBEDDINGS_DIMS is larger than the vectors of the model: lower it, or unset it',
  too_many_dims:
    'its vectors have more than 4,096 numbers, which is the limit: set HOLDFAST_EMBEDDINGS_DIMS if the model allows it, or choose another',
  process_ended: 'the model ended its process: it may need more memory than there is, or be damaged',
  model_failed: 'the model in HOLDFAST_EMBEDDINGS_MODEL cannot embed texts: choose one for sentences, in ONNX format',
  http_429: 'the endpoint limits how much it answers: wait, or raise its limit',
  document_timeout: takesLong,
  query_timeout: takesLong,
  http_400: 'the endpoint rejects every text: check HOLDFAST_EMBEDDINGS_MODEL',
  ECONNREFUSED: checkUrl,
  ENOTFOUND: checkUrl,
  http_404: checkUrl,
  http_401: checkKey,
  http_403: checkKey,
}

/**
 * Asks the provider for one vector at startup, or lets it check itself, to notice a failure before the first search. Startup doesn't wait for the answer, and it
 * never rejects: readiness and status show the failure.
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
    if (provider.check !== undefined) await provider.check()
    else await provider.embed(['Is anybody there?'], 'document', signal)
  } catch (error) {
    if (signal.aborted) return
    const code = error instanceof EmbeddingError ? error.code : 'unforeseen'
    const message = 'embedding provider unreachable: new records get no vectors yet, searches use words only'
    log.warn(message, { code, advice: adviceFor(code), ...(code === 'unforeseen' && { error }) })
  }
}

interface EmbeddingsState {
  /** Provider and model; null if none is configured. */
  embeddings: string | null
  embeddingsFailure: { code: string; advice: string } | null
  records: number
  vectorsMissing: number
}

/** Only meaningful after the first attempt to embed something. */
export function checkEmbeddings({ embeddings, embeddingsFailure, records, vectorsMissing }: EmbeddingsState): Finding {
  if (embeddings === null) return ok('embeddings', 'none configured: searches use words and links')
  if (embeddingsFailure !== null)
    return failed(
      'embeddings',
      `${embeddings} does not answer (${embeddingsFailure.code}).`,
      embeddingsFailure.advice || 'Check HOLDFAST_EMBEDDINGS_URL, _KEY and _MODEL.',
    )
  if (vectorsMissing > 0)
    return ok('embeddings', `${embeddings}; ${vectorsMissing} of ${records} records wait for their vectors`)
  return ok('embeddings', `${embeddings}, all ${records} records have vectors`)
}
