import { z } from 'zod'
import { endpointUrl, headerText } from '../core/endpoint-settings.ts'
import type { RerankerOptions } from './reranker.ts'

/** The settings of the reranker, for `config.ts`. */
export const rerankerVariables = {
  HOLDFAST_RERANKER_URL: endpointUrl
    .optional()
    .describe(
      'Address of a reranker, with its path, such as https://rerank.example.com/v2/rerank: a model that reads the best 50 records of a search and decides which come first.',
    ),
  HOLDFAST_RERANKER_KEY: headerText.optional().describe('Bearer key of that reranker.'),
  HOLDFAST_RERANKER_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Model name sent to a reranker with Cohere's API (Cohere, Jina, Voyage, vLLM, llama.cpp, Infinity). Leave it out for Text Embeddings Inference.",
    ),
  HOLDFAST_RERANKER_BUDGET_MS: z.coerce
    .number()
    .int()
    .min(10)
    .max(10_000)
    .default(800)
    .describe('Milliseconds that a search waits for the reranker, 10 to 10,000. After that, it answers without.'),
} as const

export function readReranker(values: z.output<z.ZodObject<typeof rerankerVariables>>): RerankerOptions | undefined {
  const { HOLDFAST_RERANKER_URL: url, HOLDFAST_RERANKER_KEY: key, HOLDFAST_RERANKER_MODEL: model } = values
  return url === undefined ? undefined : { url, key, model, budgetMs: values.HOLDFAST_RERANKER_BUDGET_MS }
}

/** Reports settings that would have no effect. */
export const findRerankerProblems = (given: Partial<Record<keyof typeof rerankerVariables, string>>): string[] =>
  given.HOLDFAST_RERANKER_URL !== undefined
    ? []
    : (['HOLDFAST_RERANKER_KEY', 'HOLDFAST_RERANKER_MODEL', 'HOLDFAST_RERANKER_BUDGET_MS'] as const)
        .filter((name) => given[name] !== undefined)
        .map((name) => `${name} is set, but HOLDFAST_RERANKER_URL is not`)
