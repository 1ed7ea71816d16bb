/** A part of a text: a heading, and entries of which some may be left out. */
export interface Part {
  name: string
  /** The line above the entries, including its line break. Empty if the entries are separate blocks. */
  heading: string
  entries: readonly PartEntry[]
  /** The maximum share of the space while other parts need space, 0 to 1. */
  share?: number | undefined
}

export interface PartEntry {
  /** Id of the record, if there is one. */
  id?: string
  text: string
  /** Returns a form of at most `maxChars` characters, or undefined. */
  cut?(maxChars: number): string | undefined
}

/** The entries that fit, by part name. */
export type Fitted = Readonly<Record<string, readonly PartEntry[]>>

/**
 * Chooses the entries that fit into `maxChars`, counted as printed. Parts are in order of importance. An entry that does not
 * fit is skipped and the next one tried. Space that a share holds back goes to the parts that still need it.
 */
export function fitParts(parts: readonly Part[], maxChars: number): Fitted {
  const taken = new Map(parts.map((part) => [part, new Map<PartEntry, PartEntry>()]))
  let left = maxChars
  for (const isShared of [true, false])
    for (const [at, part] of parts.entries()) {
      const others = parts.slice(at + 1).reduce((sum, other) => sum + countChars(other), 0)
      const most = isShared && part.share !== undefined ? Math.max(maxChars * part.share, left - others) : left
      left -= addEntries(part, taken.get(part) ?? new Map(), Math.min(left, Math.floor(most)))
    }
  return Object.fromEntries(
    parts.map((part) => [part.name, part.entries.flatMap((entry) => taken.get(part)?.get(entry) ?? [])]),
  )
}

/** Adds the entries that fit, and returns the characters they need. */
function addEntries(part: Part, taken: Map<PartEntry, PartEntry>, room: number): number {
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

/** Characters around an entry: a line break, or an empty line and the heading. */
const charsAround = ({ heading }: Part, isFirst: boolean) => (isFirst ? 2 + heading.length : heading === '' ? 2 : 1)

const countChars = (part: Part) =>
  part.entries.reduce((sum, { text }, at) => sum + text.length + charsAround(part, at === 0), 0)

/** Prints the parts. */
export const printParts = (parts: readonly Part[], fitted: Fitted): string[] =>
  parts.flatMap(({ name, heading }) => {
    const texts = (fitted[name] ?? []).map(({ text }) => text)
    return texts.length === 0 ? [] : [`${heading}${texts.join(heading === '' ? '\n\n' : '\n')}`]
  })
