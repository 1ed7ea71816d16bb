import { fitEntries } from '@holdfast/client/fit-entries'

/**
 * Fits an answer into a number of characters of JSON. Pure.
 *
 * - frame: the answer with its lists empty; it always stays, if need be in one of its shorter forms.
 * - section: a list of entries, the best first. Sections are given the most valuable first: what comes last is the first
 *   to go. An entry that does not fit is skipped and the next one is tried.
 */
export interface Section {
  name: string
  entries: readonly object[]
  /** How many there are where not all were fetched. Default: the number of entries. */
  total?: number | undefined
  /** The most that it takes of all room while others wait, 0 to 1; once all have had their turn it takes what is left. */
  share?: number | undefined
  /** A shorter form of the entry whose JSON has at most so many characters; undefined where there is none. */
  cut?(entry: object, roomChars: number): object | undefined
}

export interface Budget {
  maxResponseChars: number
  /** Of the whole answer as JSON, this object included. */
  usedChars: number
  /** How many entries each section is short of, by its name. */
  omitted: Record<string, number>
}

export type Lists = Record<string, object[]>

/** Builds the answer around the lists. Each list must stand in it once, as it is. */
export type Frame<T extends object> = (lists: Lists, budget: Budget) => T

/**
 * The answer with as much as fits: `JSON.stringify(answer).length <= maxChars`, always. `frames` is one form or several,
 * each shorter than the one before; the first that fits with empty lists is taken. RangeError where none does.
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
  if (frame === undefined) throw new RangeError(`no form of the answer fits into ${maxChars} characters`)
  const lists = fill(sections, maxChars - jsonChars(frame(none, largest)))
  const omitted = Object.fromEntries(
    sections.map((section) => [section.name, totalOf(section) - (lists[section.name]?.length ?? 0)]),
  )
  return withExactUse((usedChars) => frame(lists, { maxResponseChars: maxChars, usedChars, omitted }))
}

const totalOf = ({ entries, total }: Section) => total ?? entries.length

const jsonChars = (value: unknown): number => JSON.stringify(value).length

/** Entries with a comma between them. */
function fill(sections: readonly Section[], roomChars: number): Lists {
  const separated = sections.map((section) => ({ ...section, charsAround: (isFirst: boolean) => (isFirst ? 0 : 1) }))
  const lists = fitEntries<object>(separated, roomChars, jsonChars)
  return Object.fromEntries(sections.map(({ name }, at) => [name, lists[at] ?? []]))
}

/** The number of characters stands in what it counts: a longer number may make it longer, and then it is counted again. */
function withExactUse<T extends object>(build: (usedChars: number) => T): T {
  let used = 0
  for (;;) {
    const answer = build(used)
    const chars = jsonChars(answer)
    if (chars === used) return answer
    used = chars
  }
}
