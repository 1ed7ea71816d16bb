/** One form for texts and names that count as equal: compatibility forms, letter case and white space do not matter. */
export function normaliseForEquality(text: string): string {
  return boundMarks(text).normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

/**
 * Parts long runs of combining marks by a sign that shows nothing, as Unicode's stream-safe format does: putting a run in
 * its order takes quadratic time (98,000 marks: 5 s), and nobody writes longer ones.
 */
export const boundMarks = (text: string): string => text.replace(/\p{M}{30}(?=\p{M})/gu, '$&\u034f')
