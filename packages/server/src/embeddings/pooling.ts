/**
 * How a text's vector is made from the vectors of its tokens. `model`: the model does it itself, and returns `sentence_embedding`. That
 * output also includes layers after the pooling, which some models need (EmbeddingGemma).
 */
export type Pooling = 'mean' | 'first' | 'last' | 'model'

/** The vectors of the tokens of one text. */
export interface TokenVectors {
  readonly data: Float32Array
  /** Ends with the number of tokens and the length of a vector. */
  readonly dims: readonly number[]
}

/**
 * `mask`: 1 for each token that isn't padding, which some tokenizers add to every text, at either end. The vector isn't normalized yet, so
 * a mean isn't divided. Without tokens, it is zero.
 */
export function poolTokens(
  { data, dims }: TokenVectors,
  mask: readonly number[],
  pooling: Exclude<Pooling, 'model'>,
): Float32Array {
  const [length = 0, numbers = 0] = dims.slice(-2)
  const tokens = Array.from({ length }, (_, at) => at).filter((at) => mask[at] === 1)
  const used = { mean: tokens, first: tokens.slice(0, 1), last: tokens.slice(-1) }[pooling]
  const vector = new Float32Array(numbers)
  for (const at of used)
    for (let i = 0; i < numbers; i++) vector[i] = (vector[i] ?? 0) + (data[at * numbers + i] ?? NaN)
  return vector
}
