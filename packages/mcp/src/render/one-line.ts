import { defuseMarks, nameLine } from '@holdfast/client'

/** Texts and times in one line of an answer. */

/** The beginning of a text: at most so many characters, never half of one that takes two. */
export const clip = (text: string, maxChars: number): string => text.slice(0, wholeAt(text, maxChars))

/** The place to cut at: this one, or the one before it where it lies within a character of two units. */
export function wholeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc_00 && unit <= 0xdf_ff ? at - 1 : at
}

/** Stored text in one line, at most so many characters, cut at a word: it cannot pose as a line of ours. */
export function oneLine(text: string, maxChars = 300): string {
  // Enough to fill the line, whatever of it is white space; a text may have half a million characters.
  const line = clip(text, maxChars * 4)
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  if (line.length <= maxChars && text.length <= maxChars * 4) return line
  const cut = clip(line, maxChars - 1)
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > maxChars / 2 ? cut.slice(0, lastSpace) : cut}…`
}

/** A name that stands outside the marks: short, in one line, nothing in it that cannot be seen. */
export const nameOf = (name: string, maxChars = 60): string =>
  defuseMarks(oneLine(nameLine(clip(name, maxChars * 4)), maxChars))

const dayMs = 86_400_000

/** `2026-10-02 (50d)`; today's age is left out. */
export function dated(time: string, now: number): string {
  const days = Math.floor((now - Date.parse(time)) / dayMs)
  return days < 1 ? time.slice(0, 10) : `${time.slice(0, 10)} (${days}d)`
}

/** `1 task`, `3 tasks`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** An argument as it would stand in a call: `query="tabs"`. */
const asArgument = (name: string, value: unknown): string => `${name}=${JSON.stringify(value)}`

/** A call as an agent would make it; what is undefined is left out. */
export const callText = (tool: string, args: Readonly<Record<string, unknown>>): string =>
  `${tool}(${Object.entries(args)
    .flatMap(([name, value]) => (value === undefined ? [] : [asArgument(name, value)]))
    .join(', ')})`
