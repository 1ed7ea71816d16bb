/**
 * The regions of code in a Markdown text, in order: fenced blocks with their fences, and spans between backticks. A span ends
 * within its paragraph. Indented blocks count as text, because the same indent continues a list. Runs in linear time.
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

/**
 * Returns whether a match is outside code. Asked about matches in the order of their starts. The text after the first bar of a
 * wiki link is what it shows, and may contain whole spans of code.
 */
export function outsideCode(text: string): (match: RegExpMatchArray) => boolean {
  const code = listCodeRegions(text)
  let next = 0
  return ({ 0: whole, index: start = 0 }) => {
    while ((code[next]?.[1] ?? Infinity) <= start) next++
    const end = start + whole.length
    const bar = whole.indexOf('|')
    const shownFrom = bar < 0 || !whole.endsWith(']]') ? end : start + bar + 1
    for (let at = next; (code[at]?.[0] ?? Infinity) < end; at++) {
      const [from, to] = code[at] ?? [start, end]
      if (from < shownFrom || to > end - 2) return false
    }
    return true
  }
}

/** Lists the fenced blocks as whole lines. An unclosed block reaches to the end. */
export function listFences(text: string): Region[] {
  const fences: Region[] = []
  let open: (Fence & { start: number }) | undefined
  // Check only lines that contain fence marks.
  const marks = /`{3}|~{3}/g
  while (marks.test(text)) {
    const at = text.lastIndexOf('\n', marks.lastIndex - 1) + 1
    const newline = text.indexOf('\n', marks.lastIndex)
    const end = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, end)
    if (open === undefined) {
      const opened = openedFence(line)
      if (opened !== undefined) open = { ...opened, start: at }
    } else if (closesFence(line, open)) {
      fences.push([open.start, end])
      open = undefined
    }
    marks.lastIndex = end
  }
  if (open !== undefined) fences.push([open.start, text.length])
  return fences
}

/** Adds the spans of each paragraph that contains a backtick. */
function addSpansIn(text: string, start: number, end: number, regions: Region[]): void {
  const part = text.slice(start, end)
  const blankLine = /\n[^\S\n]*\n/g
  for (let at = part.indexOf('`'); at >= 0;) {
    blankLine.lastIndex = at
    const paragraphEnd = blankLine.exec(part)?.index ?? part.length
    addSpans(text, start + at, start + paragraphEnd, regions)
    at = part.indexOf('`', paragraphEnd)
  }
}

/** A fence may follow up to three spaces, or marks of quotes and list items. */
const fenceStart = /^(?:[ >]|[-*+] |\d{1,9}[.)] ){0,20}(`{3,}|~{3,})([^\n]*)/

function openedFence(line: string): Fence | undefined {
  const found = fenceStart.exec(line)
  const marks = found?.[1]
  if (marks === undefined) return undefined
  const mark = marks.charAt(0)
  // Three backticks with more backticks later on the line are a span: ```like this```.
  if (mark === '`' && found?.[2]?.includes('`') === true) return undefined
  return { mark, length: marks.length }
}

function closesFence(line: string, { mark, length }: Fence): boolean {
  const marks = line.replace(/^[ >]{0,20}/, '').trimEnd()
  return marks.length >= length && marks === mark.repeat(marks.length)
}

/** A run of backticks opens a span if a run of the same length follows; otherwise it is text. */
function addSpans(text: string, start: number, end: number, regions: Region[]): void {
  const places: number[] = []
  const lengths: number[] = []
  for (let at = text.indexOf('`', start); at >= 0 && at < end;) {
    let after = at + 1
    while (after < end && text[after] === '`') after++
    places.push(at)
    lengths.push(after - at)
    at = text.indexOf('`', after)
  }
  const closers = closersOf(lengths)
  for (let i = 0; i < places.length; i++) {
    const opener = places[i] ?? start
    const closer = closers[i] ?? none
    if (closer === none || isEscaped(text, opener)) continue
    regions.push([opener, (places[closer] ?? 0) + (lengths[closer] ?? 0)])
    i = closer
  }
}

const none = -1

/** For each run of backticks, the next one of the same length. */
function closersOf(lengths: readonly number[]): Int32Array {
  const closers = new Int32Array(lengths.length)
  const nextOfLength = new Map<number, number>()
  for (let i = lengths.length - 1; i >= 0; i--) {
    const length = lengths[i] ?? 0
    closers[i] = nextOfLength.get(length) ?? none
    nextOfLength.set(length, i)
  }
  return closers
}

/** Whether an odd number of backslashes precedes the position. Reads only these. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
