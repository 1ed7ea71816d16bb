/**
 * Where the code of a markdown text lies, as pairs of first place and place after the last, in order: fenced blocks with
 * their fences, and spans between backticks. A span ends within its paragraph. Blocks that are only indented count as
 * text, since the same indent continues a list. Linear in the text, whatever it holds.
 */
export type Region = readonly [start: number, end: number]

interface Fence {
  mark: string
  length: number
}

export function listCodeRegions(text: string): Region[] {
  const regions: Region[] = []
  let fence: (Fence & { start: number }) | undefined
  let paragraphStart = 0
  let at = 0
  while (at < text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, end)
    if (fence !== undefined) {
      if (closesFence(line, fence)) {
        regions.push([fence.start, end])
        fence = undefined
        paragraphStart = end
      }
    } else {
      const opened = openedFence(line)
      if (opened !== undefined || line.trim() === '') {
        addSpans(text, paragraphStart, at, regions)
        paragraphStart = end
      }
      if (opened !== undefined) fence = { ...opened, start: at }
    }
    at = end
  }
  // A fence that is never closed holds all that follows.
  if (fence !== undefined) regions.push([fence.start, text.length])
  else addSpans(text, paragraphStart, text.length, regions)
  return regions
}

/** Up to three spaces, or the marks of quotes and list items, may stand before a fence. */
const fenceStart = /^(?:[ >]|[-*+] |\d{1,9}[.)] ){0,20}(`{3,}|~{3,})([^\n]*)/

function openedFence(line: string): Fence | undefined {
  const found = fenceStart.exec(line)
  const marks = found?.[1]
  if (marks === undefined) return undefined
  const mark = marks.charAt(0)
  // Three backticks and more of them behind are a span: ```like this```.
  if (mark === '`' && found?.[2]?.includes('`') === true) return undefined
  return { mark, length: marks.length }
}

function closesFence(line: string, { mark, length }: Fence): boolean {
  const marks = line.replace(/^[ >]{0,20}/, '').trimEnd()
  return marks.length >= length && marks === mark.repeat(marks.length)
}

/** Backticks open a span where as many stand together further on; otherwise they are text. */
function addSpans(text: string, start: number, end: number, regions: Region[]): void {
  const runs: { at: number; length: number }[] = []
  for (const run of text.slice(start, end).matchAll(/`+/g)) runs.push({ at: start + run.index, length: run[0].length })
  const closers = closersOf(runs.map(({ length }) => length))
  for (let i = 0; i < runs.length; i++) {
    const opener = runs[i]
    const closer = runs[closers[i] ?? -1]
    if (opener === undefined || closer === undefined || isEscaped(text, opener.at)) continue
    regions.push([opener.at, closer.at + closer.length])
    i = closers[i] ?? i
  }
}

/** For each run the next one of its length. */
function closersOf(lengths: readonly number[]): (number | undefined)[] {
  const closers: (number | undefined)[] = []
  const nextOfLength = new Map<number, number>()
  for (let i = lengths.length - 1; i >= 0; i--) {
    const length = lengths[i] ?? 0
    closers[i] = nextOfLength.get(length)
    nextOfLength.set(length, i)
  }
  return closers
}

/** Whether an odd number of backslashes stands before the place; only that many are looked at. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
