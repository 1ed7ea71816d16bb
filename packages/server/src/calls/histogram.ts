/**
 * A histogram with the same bounds on every day and server, so counts can be added. Each bound is √2 times the previous one, so a
 * quantile between the first and the last bound is wrong by a factor of at most ⁴√2 (19 %).
 */

/** The number of columns in the table; changing it needs a migration. */
export const slotCount = 32
const ratio = Math.SQRT2

/** Upper bound of the first slot for response times in milliseconds (the last bound is 8.2 s). */
export const firstMs = 0.25
/** The same for characters of an answer (the last bound is 2.1 million). */
export const firstChars = 64

export function slotOf(value: number, first: number): number {
  if (value <= first) return 0
  return Math.min(slotCount - 1, Math.ceil(2 * Math.log2(value / first)))
}

/** The value at or below which `share` of all values are; null without values. */
export function quantileOf(counts: readonly number[], share: number, first: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = share * total
  const slot = counts.findIndex((count) => (left -= count) <= 0)
  // The first or last bound at the edges, otherwise the geometric mean of two bounds.
  if (slot === 0) return first
  if (slot === -1 || slot >= slotCount - 1) return first * ratio ** (slotCount - 2)
  return first * ratio ** (slot - 0.5)
}
