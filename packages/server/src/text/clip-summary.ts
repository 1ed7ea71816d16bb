/** Shortens long texts at the end of a sentence, a word or at least a character. */

type Unit = 'sentence' | 'word' | 'grapheme'

const segmenters = new Map<Unit, Intl.Segmenter>()

/** Created with the first text: what V8 loads for them takes 3 MB. */
function segmenterOf(unit: Unit): Intl.Segmenter {
  const segmenter = segmenters.get(unit) ?? new Intl.Segmenter('und', { granularity: unit })
  segmenters.set(unit, segmenter)
  return segmenter
}

/** If the whole sentences that fit fill less than this share of the space, the text is cut between words instead. */
const minShare = 0.4

/** The whole text if it has at most `maxChars` UTF-16 units; otherwise its first sentences, or its first words and "…". */
export function clipSummary(text: string, maxChars = 200): string {
  const trimmed = text.trim()
  if (trimmed.length <= maxChars) return trimmed
  const whole = trimmed.slice(0, lastBoundary('sentence', trimmed, maxChars)).trimEnd()
  return whole.length >= maxChars * minShare ? whole : `${clipText(trimmed, maxChars - 1)}…`
}

/** The first `maxChars` UTF-16 units at most, cut between words if possible. Never splits a surrogate pair. */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const atWord = lastBoundary('word', text, maxChars)
  return text.slice(0, atWord > 0 ? atWord : lastBoundary('grapheme', text, maxChars)).trimEnd()
}

/** How far before the limit a boundary is searched, so a long text takes no longer than a short one. */
const windowChars = 300
const lookAheadChars = 40

/** The last position at or before `maxChars` where a segment begins; 0 if there is none in the window. */
function lastBoundary(unit: Unit, text: string, maxChars: number): number {
  const from = Math.max(0, maxChars - windowChars)
  let last = 0
  for (const { index } of segmenterOf(unit).segment(text.slice(from, maxChars + lookAheadChars))) {
    if (from + index > maxChars) break
    // The window may begin inside a character.
    if (index > 0) last = from + index
  }
  return last
}
