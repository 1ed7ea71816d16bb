/**
 * How often a value lay between two bounds. The bounds are the same on every day and server, so that counts add up. Each is
 * √2 times the one before: what a histogram tells is off by a factor of at most ⁴√2, 19 %, between its first bound and its last.
 */

/** As many as the table has columns: another number needs a migration. */
export const slotCount = 32
const ratio = Math.SQRT2

/** Up to which value the first slot goes: milliseconds of an answer (the last bound is then 8.2 s). */
export const firstMs = 0.25
/** Characters of an answer (the last bound is then 2.1 million). */
export const firstChars = 64

export function slotOf(value: number, first: number): number {
  if (value <= first) return 0
  return Math.min(slotCount - 1, Math.ceil(2 * Math.log2(value / first)))
}

/** The value that `share` of all lie at or below; null where there are none. */
export function quantileOf(counts: readonly number[], share: number, first: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = share * total
  const slot = counts.findIndex((count) => (left -= count) <= 0)
  // At most the first bound, at least the last; between two, their middle as ratios go.
  if (slot === 0) return first
  if (slot === -1 || slot >= slotCount - 1) return first * ratio ** (slotCount - 2)
  return first * ratio ** (slot - 0.5)
}
