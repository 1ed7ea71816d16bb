import type { EmbeddingProvider } from './provider.ts'

/**
 * The same provider but for what `changed` names. All else is looked up in the provider when it is asked for: what it learns with
 * its first answer shows through, and no wrapper can forget a field.
 */
export function wrapProvider(
  provider: EmbeddingProvider,
  changed: Pick<EmbeddingProvider, 'embed'> & Partial<EmbeddingProvider>,
): EmbeddingProvider {
  const wrapped: EmbeddingProvider = Object.create(provider, Object.getOwnPropertyDescriptors(changed))
  return wrapped
}
