import { fitEntries } from './fit-entries.ts'

/** A part of a text: a heading and entries. The entries that don't fit are left out. */
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

/** The entries of each part that fit, counted as they are printed. The parts come most valuable first. */
export function fitParts(parts: readonly Part[], maxChars: number): Fitted {
  const lists = parts.map(({ heading, entries, share }) => ({
    entries,
    share,
    charsAround: (isFirst: boolean) => (isFirst ? 2 + heading.length : heading === '' ? 2 : 1),
    cut: cutEntry,
  }))
  const fitted = fitEntries(lists, maxChars, ({ text }) => text.length)
  return Object.fromEntries(parts.map(({ name }, at) => [name, fitted[at] ?? []]))
}

function cutEntry(entry: PartEntry, roomChars: number): PartEntry | undefined {
  const text = entry.cut?.(roomChars)
  return text === undefined ? undefined : { ...entry, text }
}

export const printParts = (parts: readonly Part[], fitted: Fitted): string[] =>
  parts.flatMap(({ name, heading }) => {
    const texts = (fitted[name] ?? []).map(({ text }) => text)
    return texts.length === 0 ? [] : [`${heading}${texts.join(heading === '' ? '\n\n' : '\n')}`]
  })
