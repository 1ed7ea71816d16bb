/** One part of a text: a heading, and entries of which some may be left out. */
export interface Part {
  name: string
  /** Above its entries, the end of its line included; empty for entries that stand apart. */
  heading: string
  entries: readonly PartEntry[]
  /** The most that it takes of all room while others wait, 0 to 1. */
  share?: number | undefined
}

export interface PartEntry {
  /** Of what it tells, where that has one. */
  id?: string
  text: string
  /** A shorter form of at most so many characters; undefined where there is none. */
  cut?(maxChars: number): string | undefined
}

/** What each part tells, by its name. */
export type Fitted = Readonly<Record<string, readonly PartEntry[]>>

/**
 * What of these parts fits into a room, counted as it will be printed. The most valuable part comes first; an entry that does not
 * fit is passed over, and the next one tried. What a share holds back goes to whatever still has a use for it.
 */
export function fitParts(parts: readonly Part[], maxChars: number): Fitted {
  const taken = new Map(parts.map((part) => [part, new Map<PartEntry, PartEntry>()]))
  let left = maxChars
  for (const isShared of [true, false])
    for (const [at, part] of parts.entries()) {
      const others = parts.slice(at + 1).reduce((sum, other) => sum + charsOf(other), 0)
      const most = isShared && part.share !== undefined ? Math.max(maxChars * part.share, left - others) : left
      left -= take(part, taken.get(part) ?? new Map(), Math.min(left, Math.floor(most)))
    }
  return Object.fromEntries(
    parts.map((part) => [part.name, part.entries.flatMap((entry) => taken.get(part)?.get(entry) ?? [])]),
  )
}

/** Takes what fits, and returns what it costs. */
function take(part: Part, taken: Map<PartEntry, PartEntry>, room: number): number {
  let used = 0
  for (const entry of part.entries) {
    if (taken.has(entry)) continue
    const around = charsAround(part, taken.size === 0)
    const most = room - used - around
    const text = entry.text.length <= most ? entry.text : entry.cut?.(most)
    if (text === undefined || text.length > most) continue
    taken.set(entry, { ...entry, text })
    used += text.length + around
  }
  return used
}

/** The end of a line, or an empty line and the heading. */
const charsAround = ({ heading }: Part, isFirst: boolean) => (isFirst ? 2 + heading.length : heading === '' ? 2 : 1)

const charsOf = (part: Part) =>
  part.entries.reduce((sum, { text }, at) => sum + text.length + charsAround(part, at === 0), 0)

/** The parts as they are printed, an empty line between them. */
export const printParts = (parts: readonly Part[], fitted: Fitted): string[] =>
  parts.flatMap(({ name, heading }) => {
    const texts = (fitted[name] ?? []).map(({ text }) => text)
    return texts.length === 0 ? [] : [`${heading}${texts.join(heading === '' ? '\n\n' : '\n')}`]
  })
