/**
 * Whether a text is read as Markdown. Texts that would take too long are shown as plain text: the parser needs quadratic time for the
 * brackets of a paragraph and for the depth of nested blocks. This check is linear: 7 ms for 500,000 characters.
 */
export function isReadable(text: string): boolean {
  let lines = 0
  let marks = 0
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const line = text.slice(at, end)
    if (++lines > maxLines || line.length > maxLineLength || depthOf(line) > maxDepth) return false
    if (opensBlock.test(line)) marks = 0
    marks += marksIn(text, at, end)
    if (marks > maxMarks) return false
    at = end + 1
  }
  return true
}

/** 20,000 lines of `# x` take 0.2 s. A book has about 10,000 lines. */
const maxLines = 20_000
/** 300,000 characters of `[[a]]` on one line block the browser for seconds. Paragraphs have about 1,000 characters. */
const maxLineLength = 20_000
/** Marks of quotes and lists at the start of a line: 2,000 take 0.06 s, 8,000 take 0.6 s, and 50,000 overflow the stack. */
const maxDepth = 40
/** Marks in one paragraph. `[a](` has two: 1,000 of these take 30 ms, 4,000 take 0.3 s. */
const maxMarks = 5_000

/** A blank line, or one that always begins a new block. */
const opensBlock = /^(?:\s*$| {0,3}(?:[-*+] +[^ ]|#{1,6} ))/

function depthOf(line: string): number {
  let depth = 0
  const mark = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/y
  while (depth <= maxDepth && mark.test(line)) depth++
  return depth
}

const markCodes = new Set(Array.from('[]*_`~<!', (mark) => mark.charCodeAt(0)))

function marksIn(text: string, from: number, to: number): number {
  let marks = 0
  for (let at = from; at < to; at++) if (markCodes.has(text.charCodeAt(at))) marks++
  return marks
}
