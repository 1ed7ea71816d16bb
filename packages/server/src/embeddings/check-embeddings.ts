import { failed, ok, type Finding } from '../core/finding.ts'

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
