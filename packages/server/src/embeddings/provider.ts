import type { Calibration } from './calibration.ts'

/**
 * Texts to vectors. Each provider sends texts to one model; what it gives back is checked and brought to unit length
 * here, so that a dot product is a cosine and nothing else in the program has to distrust a vector.
 */

/** What a text is: the question of a search (somebody waits) or something stored. */
export type TextKind = 'query' | 'document'

export interface EmbeddedTexts {
  /** One vector of length 1 for each text, in the order of the texts; undefined where the model knows nothing of a text. */
  vectors: (Float32Array | undefined)[]
  /** As the provider counts them; 0 where it does not say. */
  tokens: number
}

export interface EmbeddingProvider {
  /** Provider and model: the name of a generation. Vectors of two ids are never compared. */
  readonly id: string
  /** Length of every vector; undefined until the first answer tells it. */
  readonly dims: number | undefined
  /** What its cosines mean: thresholds and answers speak of similarity, which is the same for every model. */
  readonly calibration: Calibration
  /**
   * Whether a vector is the mean of its words' vectors, as the built-in model makes it: it tells neither order nor small words,
   * and near vectors never prove that two texts say the same.
   */
  readonly isMeanOfWords: boolean
  /** Of a text, the model reads so many tokens at most; undefined where it reads all, or does not say. */
  readonly maxTokens: number | undefined
  /** Longer texts are cut to this many UTF-16 units before they are sent. */
  readonly maxInputChars: number
  /** Most texts in one request to the model; `embed` splits longer lists. */
  readonly batchSize: number
  /**
   * Texts must not be blank: hosted models refuse those. Rejects with an EmbeddingError, or with the signal's reason
   * where the caller gave up. Time limits hold for each request, so that a long list can be finished at all: a caller
   * with a budget for the whole passes a signal.
   */
  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<EmbeddedTexts>
  /** Code of the latest call's failure; undefined while it answers, as before any call. */
  readonly failure?: string | undefined
  /** Ends what runs for it. Later calls fail. */
  readonly stop?: (() => Promise<void>) | undefined
}

/**
 * - `unavailable`: not reached, or it says that it cannot answer now
 * - `timeout`: no full answer in time
 * - `bad_response`: it answered with something that is not a list of usable vectors
 * - `refused`: it is well but will not take these texts; sending the same again is useless
 * - `unclear`: it takes other texts, and failed on this one; whether a later try would too nobody knows
 */
export type EmbeddingFailure = 'unavailable' | 'timeout' | 'bad_response' | 'refused' | 'unclear'

/**
 * Carries no `cause`: the errors of HTTP clients quote headers and addresses, those of parsers quote content.
 * `code` says what happened in a word that is safe to log: `http_503`, `ECONNREFUSED`, `wrong_count`.
 */
export class EmbeddingError extends Error {
  readonly reason: EmbeddingFailure
  readonly code: string
  /** How long the provider asks us to stay away. */
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
  /** Undefined before the first answer: then all must be as long as the first of them. */
  dims: number | undefined
}

/**
 * Throws `bad_response` unless there are `count` vectors of one length, all finite and none all zero. What is unusable of a text that was
 * asked for alone is `refused`: the model has no better one for it.
 */
export function toUnitVectors(rows: readonly ArrayLike<number>[], expected: Expected): Float32Array[] {
  if (rows.length !== expected.count) throw new EmbeddingError('bad_response', 'wrong_count')
  const dims = expected.dims ?? rows[0]?.length
  return rows.map((row) => {
    if (row.length > maxDims) throw new EmbeddingError('bad_response', 'too_many_dims')
    if (row.length !== dims || dims === 0) throw new EmbeddingError('bad_response', 'wrong_dims')
    return toUnitVector(row, expected.count === 1 ? 'refused' : 'bad_response')
  })
}

function toUnitVector(row: ArrayLike<number>, reason: EmbeddingFailure): Float32Array {
  const vector = Float32Array.from(row)
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw new EmbeddingError(reason, 'not_finite')
  if (squares === 0) throw new EmbeddingError(reason, 'zero_vector')
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}

/** Never ends in half a character, and holds none: strict JSON readers refuse lone surrogates. */
export const cutText = (text: string, maxChars: number): string => {
  const cut = text.slice(0, maxChars)
  const endsInHalf = cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut)
  return (endsInHalf ? cut.slice(0, -1) : cut).toWellFormed()
}

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

/** Past these nothing more is remembered: a request that writes so many texts rarely repeats one. */
const mostTexts = 256

/** The same provider for the length of one request: a text that comes again, in one call or another, is not embedded again. */
export function embedOnce(provider: EmbeddingProvider): EmbeddingProvider {
  // Made for each request, of which few embed anything.
  const known = new Map<string, Float32Array | undefined>()
  return wrapProvider(provider, {
    async embed(texts, kind, signal) {
      const nameOf = (text: string) => `${kind} ${text}`
      const unknown = [...new Set(texts)].filter((text) => !known.has(nameOf(text)))
      const embedded = unknown.length === 0 ? noTexts : await provider.embed(unknown, kind, signal)
      const fresh = new Map(unknown.map((text, at) => [text, embedded.vectors[at]]))
      const vectors = texts.map((text) => (fresh.has(text) ? fresh.get(text) : known.get(nameOf(text))))
      for (const [text, vector] of fresh) if (known.size < mostTexts) known.set(nameOf(text), vector)
      return { vectors, tokens: embedded.tokens }
    },
  })
}

const noTexts = { vectors: [], tokens: 0 }

/** The same provider for the calls of one user, whose tokens it reports. */
export function meterEmbeddings(provider: EmbeddingProvider, report: (tokens: number) => void): EmbeddingProvider {
  return wrapProvider(provider, {
    async embed(texts, kind, signal) {
      const embedded = await provider.embed(texts, kind, signal)
      if (embedded.tokens > 0) report(embedded.tokens)
      return embedded
    },
  })
}
