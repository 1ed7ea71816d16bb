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
  let at = 0
  for (const fence of listFences(text)) {
    addSpansIn(text, at, fence[0], regions)
    regions.push(fence)
    at = fence[1]
  }
  addSpansIn(text, at, text.length, regions)
  return regions
}

/** The fenced blocks alone, whole lines. One that is never closed holds all that follows. */
export function listFences(text: string): Region[] {
  const fences: Region[] = []
  let open: (Fence & { start: number }) | undefined
  for (const [at, end] of linesIn(text, 0, text.length)) {
    const line = text.slice(at, end)
    if (open === undefined) {
      const opened = openedFence(line)
      if (opened !== undefined) open = { ...opened, start: at }
    } else if (closesFence(line, open)) {
      fences.push([open.start, end])
      open = undefined
    }
  }
  if (open !== undefined) fences.push([open.start, text.length])
  return fences
}

/** Each line with the break behind it. */
function* linesIn(text: string, start: number, end: number): Generator<Region> {
  let at = start
  while (at < end) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 || newline >= end ? end : newline + 1
    yield [at, next]
    at = next
  }
}

/** Of each paragraph by itself. */
function addSpansIn(text: string, start: number, end: number, regions: Region[]): void {
  let paragraphStart = start
  for (const [at, next] of linesIn(text, start, end)) {
    if (text.slice(at, next).trim() !== '') continue
    addSpans(text, paragraphStart, at, regions)
    paragraphStart = next
  }
  addSpans(text, paragraphStart, end, regions)
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
