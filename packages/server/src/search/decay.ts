import { dayMs } from '../core/time.ts'
/** What stays true until it is replaced does not age, nor do notes, which are kept up. */
const timeless: ReadonlySet<string> = new Set(['fact', 'preference', 'constraint', 'skill', 'note'])

/**
 * 0.9 + 0.1 × 2^(-age / halfLife): an old exact answer still beats a new weak one. Full decay cost 29 to 41 points
 * of recall@10 on sets that span months, a floor of 0.8 about one.
 */
export function decayFactor(memoryType: string, ageMs: number, halfLifeDays: number): number {
  if (timeless.has(memoryType)) return 1
  return 0.9 + 0.1 * 2 ** (-Math.max(0, ageMs) / dayMs / halfLifeDays)
}

/** Importance 1 to 5 parts near ties only: a step is worth less than one rank among the first fifteen. */
export const importanceFactor = (importance: number): number => 1 + 0.02 * (importance - 3)
