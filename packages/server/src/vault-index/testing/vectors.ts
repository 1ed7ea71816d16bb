/** Numbers from 0 to 1 (Marsaglia's xorshift). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Vectors that, as those of texts, have a direction in common, and some topics with more or less of each. */
export function createVectors(dims: number, seed: number): () => Float64Array {
  const random = createRandom(seed)
  const normal = () => random() + random() + random() + random() - 2
  const direction = () => Float64Array.from({ length: dims }, normal)
  const common = direction()
  const topics = Array.from({ length: 24 }, direction)
  return () => {
    const vector = direction().map((value, i) => value * 0.7 + (common[i] ?? 0) * 0.5)
    for (const topic of topics) {
      const share = random() ** 6 * 3
      topic.forEach((value, i) => (vector[i] = (vector[i] ?? 0) + value * share))
    }
    return vector
  }
}
