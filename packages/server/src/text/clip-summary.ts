/** Short forms of long texts, which end where a sentence, a word or at least a character ends. */

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
const words = new Intl.Segmenter('und', { granularity: 'word' })
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Of the room. A clip that is shorter would say too little, and a finer one is taken. */
const leastShare = 0.4

/** The whole text where it has at most `maxChars` UTF-16 units; else its first sentences, or its first words and "…". */
export function clipSummary(text: string, maxChars = 200): string {
  const trimmed = text.trim()
  if (trimmed.length <= maxChars) return trimmed
  const whole = trimmed.slice(0, lastBoundary(sentences, trimmed, maxChars)).trimEnd()
  return whole.length >= maxChars * leastShare ? whole : `${clipText(trimmed, maxChars - 1)}…`
}

/** At most `maxChars` UTF-16 units from the front, up to the end of a word where there is one. Always well formed. */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const atWord = lastBoundary(words, text, maxChars)
  return text.slice(0, atWord > 0 ? atWord : lastBoundary(characters, text, maxChars)).trimEnd()
}

/** How far back from the limit is looked, so that a long text costs no more than a short one. */
const windowChars = 300
const lookAheadChars = 40

/** The last place at or before `maxChars` where a segment begins; 0 where there is none in the window. */
function lastBoundary(segmenter: Intl.Segmenter, text: string, maxChars: number): number {
  const from = Math.max(0, maxChars - windowChars)
  let last = 0
  for (const { index } of segmenter.segment(text.slice(from, maxChars + lookAheadChars))) {
    if (from + index > maxChars) break
    // The window may begin inside a character.
    if (index > 0) last = from + index
  }
  return last
}
