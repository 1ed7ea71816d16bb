/** Normalizes texts and names that count as equal: ignores letter case, white space and compatibility forms. */
export function normalizeForEquality(text: string): string {
  return boundMarks(text).normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

/**
 * Splits long runs of combining marks with an invisible character, like Unicode's stream-safe format: ordering a run
 * takes quadratic time (98,000 marks: 5 s), and real text has no longer runs.
 */
export const boundMarks = (text: string): string => text.replace(/\p{M}{30}(?=\p{M})/gu, '$&\u034f')
