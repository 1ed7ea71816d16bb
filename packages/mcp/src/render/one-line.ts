import { defuseMarks, nameLine } from '@holdfast/client'

/** Prints texts and times on one line. */

/** Cuts a text, but never in the middle of a surrogate pair. */
export const clip = (text: string, maxChars: number): string => text.slice(0, boundaryAt(text, maxChars))

/** Returns a position to cut at that is not inside a surrogate pair. */
export function boundaryAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc_00 && unit <= 0xdf_ff ? at - 1 : at
}

/** Prints stored text on one line, cut between words, so it cannot pretend to be one of our lines. */
export function oneLine(text: string, maxChars = 300): string {
  // Enough to fill the line in spite of white space. A text may have half a million characters.
  const line = clip(text, maxChars * 4)
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  if (line.length <= maxChars && text.length <= maxChars * 4) return line
  const cut = clip(line, maxChars - 1)
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > maxChars / 2 ? cut.slice(0, lastSpace) : cut}…`
}

/** Prints a name outside the marks: short, on one line, without invisible characters. The cut may part an emoji, so what joins it goes too. */
export const displayName = (name: string, maxChars = 60): string =>
  defuseMarks(nameLine(oneLine(nameLine(clip(name, maxChars * 4)), maxChars)))

const dayMs = 86_400_000

/** Prints a date with its age: `2026-10-02 (50d)`. Omits the age of today. */
export function dated(time: string, now: number): string {
  const days = Math.floor((now - Date.parse(time)) / dayMs)
  return days < 1 ? time.slice(0, 10) : `${time.slice(0, 10)} (${days}d)`
}

/** Prints `1 task` or `3 tasks`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** Prints an argument of a call: `query="tabs"`. */
const asArgument = (name: string, value: unknown): string => `${name}=${JSON.stringify(value)}`

/** Prints a call as an agent would make it, without undefined arguments. */
export const callText = (tool: string, args: Readonly<Record<string, unknown>>): string =>
  `${tool}(${Object.entries(args)
    .flatMap(([name, value]) => (value === undefined ? [] : [asArgument(name, value)]))
    .join(', ')})`
