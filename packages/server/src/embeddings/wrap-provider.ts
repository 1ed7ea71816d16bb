import type { EmbeddedTexts, EmbeddingProvider, TextKind } from './provider.ts'

type Changed = Pick<EmbeddingProvider, 'embed' | 'failure'>

/**
 * The same provider but for what `changed` names. All else is asked of the provider when it is asked for: what it learns with its
 * first answer shows through.
 */
export const wrapProvider = (provider: EmbeddingProvider, changed: Changed): EmbeddingProvider =>
  new WrappedProvider(provider, changed)

/** Each request makes two. A class takes 0.1 µs for both; objects that inherit from the provider took 8. */
class WrappedProvider implements EmbeddingProvider {
  readonly #provider: EmbeddingProvider
  readonly #changed: Changed

  constructor(provider: EmbeddingProvider, changed: Changed) {
    this.#provider = provider
    this.#changed = changed
  }

  get id(): string {
    return this.#provider.id
  }

  get dims(): number | undefined {
    return this.#provider.dims
  }

  get calibration(): EmbeddingProvider['calibration'] {
    return this.#provider.calibration
  }

  get isMeanOfWords(): boolean {
    return this.#provider.isMeanOfWords
  }

  get maxTokens(): number | undefined {
    return this.#provider.maxTokens
  }

  get maxInputChars(): number {
    return this.#provider.maxInputChars
  }

  get batchSize(): number {
    return this.#provider.batchSize
  }

  get failure(): string | undefined {
    return 'failure' in this.#changed ? this.#changed.failure : this.#provider.failure
  }

  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<EmbeddedTexts> {
    return this.#changed.embed(texts, kind, signal)
  }

  get stop(): EmbeddingProvider['stop'] {
    return this.#provider.stop
  }
}
