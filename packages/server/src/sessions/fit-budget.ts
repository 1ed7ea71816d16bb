import { fitEntries } from '@holdfast/client/fit-entries'

/**
 * Fits an answer into a number of characters of JSON. Pure.
 *
 * - frame: the answer with empty lists. It is always included, in a shorter form if necessary.
 * - section: a list of entries, best first. Sections are ordered by value, and the last one is dropped first. If an entry
 *   doesn't fit, the next one is tried.
 */
export interface Section {
  name: string
  entries: readonly object[]
  /** The total if not all entries were fetched. Default: the number of entries. */
  total?: number | undefined
  /** Its largest share of the space, 0 to 1, until every section has had its turn. After that it can use what is left. */
  share?: number | undefined
  /** A shorter form of the entry whose JSON has at most `roomChars` characters; undefined if there is none. */
  cut?(entry: object, roomChars: number): object | undefined
}

export interface Budget {
  maxResponseChars: number
  /** Length of the whole answer as JSON, including this object. */
  usedChars: number
  /** Number of omitted entries by section name. */
  omitted: Record<string, number>
}

export type Lists = Record<string, object[]>

/** Builds the answer around the lists. It must contain each list once, unchanged. */
export type Frame<T extends object> = (lists: Lists, budget: Budget) => T

/**
 * Fits as much as possible into the answer and guarantees `JSON.stringify(answer).length <= maxChars`. `frames` has one or more
 * forms, each shorter than the one before; the first that fits with empty lists is used. Throws a RangeError if none fits.
 */
export function fitBudget<T extends object>(
  maxChars: number,
  frames: readonly Frame<T>[],
  sections: readonly Section[],
): T {
  const largest: Budget = {
    maxResponseChars: maxChars,
    usedChars: maxChars,
    omitted: Object.fromEntries(sections.map((section) => [section.name, totalOf(section)])),
  }
  const none: Lists = Object.fromEntries(sections.map(({ name }) => [name, []]))
  const frame = frames.find((build) => jsonChars(build(none, largest)) <= maxChars)
  if (frame === undefined) throw new RangeError(`The answer does not fit into ${maxChars} characters`)
  const lists = fill(sections, maxChars - jsonChars(frame(none, largest)))
  const omitted = Object.fromEntries(
    sections.map((section) => [section.name, totalOf(section) - (lists[section.name]?.length ?? 0)]),
  )
  return withExactUse((usedChars) => frame(lists, { maxResponseChars: maxChars, usedChars, omitted }))
}

const totalOf = ({ entries, total }: Section) => total ?? entries.length

const jsonChars = (value: unknown): number => JSON.stringify(value).length

/** Counts a comma after each entry. */
function fill(sections: readonly Section[], roomChars: number): Lists {
  const separated = sections.map((section) => ({ ...section, charsAround: (isFirst: boolean) => (isFirst ? 0 : 1) }))
  const lists = fitEntries<object>(separated, roomChars, jsonChars)
  return Object.fromEntries(sections.map(({ name }, at) => [name, lists[at] ?? []]))
}

/** The answer contains its own length. A number with more digits makes it longer, so it is counted until it is stable. */
function withExactUse<T extends object>(build: (usedChars: number) => T): T {
  let used = 0
  for (;;) {
    const answer = build(used)
    const chars = jsonChars(answer)
    if (chars === used) return answer
    used = chars
  }
}
