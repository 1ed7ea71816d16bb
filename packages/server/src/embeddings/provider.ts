import type { Calibration } from './calibration.ts'

/**
 * Turns texts into vectors. Each provider sends texts to one model. Its answers are checked and normalized to unit length here, so a dot
 * product is a cosine and other code can trust vectors.
 */

/** The question of a search, for which someone waits, or a stored text. */
export type TextKind = 'query' | 'document'

export interface EmbeddedTexts {
  /** One vector of length 1 for each text, in order; undefined if the model knows none of a text's words. */
  vectors: (Float32Array | undefined)[]
  /** As counted by the provider; 0 if it doesn't say. */
  tokens: number
}

export interface EmbeddingProvider {
  /** Provider, model and how it is used (model-use.ts). Vectors of different ids are never compared. */
  readonly id: string
  /** The length of all vectors; undefined until the first answer. */
  readonly dims: number | undefined
  /** Maps its cosines to similarities, which thresholds and answers use for every model. */
  readonly calibration: Calibration
  /**
   * Whether a vector is the mean of its words' vectors, as in the built-in model. It ignores order and small words, so near vectors never
   * prove that two texts say the same.
   */
  readonly isMeanOfWords: boolean
  /** The most tokens of a text that the model reads; undefined if it reads all or doesn't say. */
  readonly maxTokens: number | undefined
  /** Longer texts are cut to this many UTF-16 units before they are sent. */
  readonly maxInputChars: number
  /** The most texts in one request to the model. `embed` splits longer lists. */
  readonly batchSize: number
  /**
   * Texts must not be blank, because hosted models refuse those. Rejects with an EmbeddingError, or with the signal's reason. Timeouts
   * apply to each request, not to a long list; pass a signal to limit the whole.
   */
  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<EmbeddedTexts>
  /** Rejects with an EmbeddingError if `embed` can't work, and takes less memory than it. Default: embedding a text shows it. */
  readonly check?: (() => Promise<void>) | undefined
  /** The code of the latest failure; undefined if the last call succeeded or there was none. */
  readonly failure?: string | undefined
  /** Stops its processes. Later calls fail. */
  readonly stop?: (() => Promise<void>) | undefined
}

/**
 * - `unavailable`: unreachable, or it says that it can't answer now
 * - `timeout`: no complete answer in time
 * - `bad_response`: the answer isn't a list of usable vectors
 * - `refused`: it works but refuses these texts; a retry is useless
 * - `unclear`: it accepts other texts but failed on this one; a retry may help
 */
export type EmbeddingFailure = 'unavailable' | 'timeout' | 'bad_response' | 'refused' | 'unclear'

/**
 * Has no `cause`, because errors of HTTP clients quote headers and addresses, and those of parsers quote content. `code` is safe to log:
 * `http_503`, `ECONNREFUSED`, `wrong_count`.
 */
export class EmbeddingError extends Error {
  readonly reason: EmbeddingFailure
  readonly code: string
  /** The provider's Retry-After. */
  readonly retryAfterMs: number | undefined

  constructor(reason: EmbeddingFailure, code: string, retryAfterMs?: number) {
    super(`Embedding failed: ${reason} (${code})`)
    this.name = 'EmbeddingError'
    this.reason = reason
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** The longest vector that the index stores. */
export const maxDims = 4096

interface Expected {
  count: number
  /** Undefined before the first answer; then all vectors must be as long as the first. */
  dims: number | undefined
  /** How many numbers of each vector to keep; undefined: all. */
  kept?: number | undefined
}

/**
 * Throws `bad_response` unless there are `count` vectors of the same length, finite and not zero. An unusable vector for a single text is
 * `refused`, because the model has no better one. Cuts vectors to `kept` numbers before it normalizes them, as models with Matryoshka
 * training allow.
 */
export function toUnitVectors(rows: readonly ArrayLike<number>[], expected: Expected): Float32Array[] {
  if (rows.length !== expected.count) throw new EmbeddingError('bad_response', 'wrong_count')
  const length = rows[0]?.length ?? 0
  if (length === 0 || rows.some((row) => row.length !== length)) throw new EmbeddingError('bad_response', 'mixed_dims')
  const { kept = length, dims = length } = expected
  if (Math.min(length, kept) > maxDims) throw new EmbeddingError('bad_response', 'too_many_dims')
  if (length !== dims) throw new EmbeddingError('bad_response', 'wrong_dims')
  if (kept > length) throw new EmbeddingError('bad_response', 'too_few_dims')
  return rows.map((row) => toUnitVector(row, kept, expected.count === 1 ? 'refused' : 'bad_response'))
}

function toUnitVector(row: ArrayLike<number>, kept: number, reason: EmbeddingFailure): Float32Array {
  const vector = Float32Array.from(row).subarray(0, kept)
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw new EmbeddingError(reason, 'not_finite')
  if (squares === 0) throw new EmbeddingError(reason, 'zero_vector')
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}

/** Cuts without leaving lone surrogates, which strict JSON parsers reject. */
export const cutText = (text: string, maxChars: number): string => {
  const cut = text.slice(0, maxChars)
  const endsInHalf = cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut)
  return (endsInHalf ? cut.slice(0, -1) : cut).toWellFormed()
}

type Changed = Pick<EmbeddingProvider, 'embed' | 'failure'>

/** The same provider with some members replaced. All others are read from the provider, since some change with its first answer. */
export const wrapProvider = (provider: EmbeddingProvider, changed: Changed): EmbeddingProvider =>
  new WrappedProvider(provider, changed)

/** Each request creates two. A class takes 0.1 µs for both; objects that inherit from the provider took 8. */
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

  get check(): EmbeddingProvider['check'] {
    return this.#provider.check
  }

  get stop(): EmbeddingProvider['stop'] {
    return this.#provider.stop
  }
}

/** Most texts that are remembered. A request with more rarely repeats one. */
const maxTexts = 256

/** For one request: embeds a repeated text only once. */
export function embedOnce(provider: EmbeddingProvider): EmbeddingProvider {
  // Created for each request, few of which embed anything.
  const known = new Map<string, Float32Array | undefined>()
  return wrapProvider(provider, {
    async embed(texts, kind, signal) {
      const nameOf = (text: string) => `${kind} ${text}`
      const unknown = [...new Set(texts)].filter((text) => !known.has(nameOf(text)))
      const embedded = unknown.length === 0 ? noTexts : await provider.embed(unknown, kind, signal)
      const fresh = new Map(unknown.map((text, at) => [text, embedded.vectors[at]]))
      const vectors = texts.map((text) => (fresh.has(text) ? fresh.get(text) : known.get(nameOf(text))))
      for (const [text, vector] of fresh) if (known.size < maxTexts) known.set(nameOf(text), vector)
      return { vectors, tokens: embedded.tokens }
    },
  })
}

const noTexts = { vectors: [], tokens: 0 }

/** Reports the tokens that each call has used. */
export function meterEmbeddings(provider: EmbeddingProvider, report: (tokens: number) => void): EmbeddingProvider {
  return wrapProvider(provider, {
    async embed(texts, kind, signal) {
      const embedded = await provider.embed(texts, kind, signal)
      if (embedded.tokens > 0) report(embedded.tokens)
      return embedded
    },
  })
}
