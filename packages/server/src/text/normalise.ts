/** One form for texts and names that count as equal: compatibility forms, letter case and white space do not matter. */
export function normaliseForEquality(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()
}
