/** A text that was cut anywhere, without the half of a surrogate pair that the cut may have left at its end. */
export const withoutHalfPair = (cut: string): string => cut.replace(/[\ud800-\udbff]$/, '')
