/** Texts and times in one line of an answer. */

/** Stored text in one line, at most so many characters, cut at a word: it cannot pose as a line of ours. */
export function oneLine(text: string, maxChars = 300): string {
  // Enough to fill the line, whatever of it is white space; a text may have half a million characters.
  const line = text
    .slice(0, maxChars * 4)
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  if (line.length <= maxChars && text.length <= maxChars * 4) return line
  const cut = line.slice(0, maxChars - 1)
  const lastSpace = cut.lastIndexOf(' ')
  return `${withoutHalfPair(lastSpace > maxChars / 2 ? cut.slice(0, lastSpace) : cut)}…`
}

/** A cut must not leave half of a character that takes two units. */
export const withoutHalfPair = (text: string): string => (text.isWellFormed() ? text : text.slice(0, -1))

const dayMs = 86_400_000

/** `2026-10-02 (50d)`; today's age is left out. */
export function dated(time: string, now: number): string {
  const days = Math.floor((now - Date.parse(time)) / dayMs)
  return days < 1 ? time.slice(0, 10) : `${time.slice(0, 10)} (${days}d)`
}

/** `1 task`, `3 tasks`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** An argument as it would stand in a call: `query="tabs"`. */
export const asArgument = (name: string, value: unknown): string => `${name}=${JSON.stringify(value)}`

/** A call as an agent would make it; what is undefined is left out. */
export const callText = (tool: string, args: Readonly<Record<string, unknown>>): string =>
  `${tool}(${Object.entries(args)
    .flatMap(([name, value]) => (value === undefined ? [] : [asArgument(name, value)]))
    .join(', ')})`
