/** The blocks of a Markdown text; what stands in their lines, `parseInline` reads. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: ListItem[] }
  | { kind: 'table'; heads: string[]; rows: string[][] }
  | { kind: 'rule' }

interface ListItem {
  /** Undefined where it has no box. */
  isDone: boolean | undefined
  blocks: Block[]
}

/** Deeper is text: nobody nests so far, and a text may be made to overflow the stack. */
const maxDepth = 8
/** With more columns it is text: no table on a page has so many, and a short row is filled up to all of them. */
const maxColumns = 100
/** What one table shows, and what is beyond, as text, since each cell is an element of the page. */
const maxCells = 20_000

// None may match a run of characters in two ways, since the text is anybody's: spaces at an end are cut off by code.
const fence = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^`]*$/
const heading = /^ {0,3}(#{1,6})(?![^ \t])/
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const quote = /^ {0,3}> ?/
const item = /^( {0,3})([-*+]|(\d{1,9})[.)])(?:( {1,4})(?! )|[ \t]|$)/
const box = /^\[([ xX])\][ \t]+/
const tableRule = /^:?-+:?$/

export const parseMarkdown = (text: string): Block[] => parseLines(text.split(/\r\n?|\n/), 0)

function parseLines(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at, depth)
    if (block !== undefined) blocks.push(block)
    at = next
  }
  return blocks
}

type Read = readonly [block: Block | undefined, next: number]

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at] ?? ''
  if (line.trim() === '') return [undefined, at + 1]
  const opening = fence.exec(line)
  if (opening !== null) return readCode(lines, at, opening[1] ?? '')
  const head = heading.exec(line)
  if (head !== null)
    return [{ kind: 'heading', level: head[1]?.length ?? 1, text: headingText(line.slice(head[0].length)) }, at + 1]
  if (rule.test(line)) return [{ kind: 'rule' }, at + 1]
  const heads = headsAt(lines, at)
  if (heads !== undefined) return readTable(lines, at, heads)
  if (depth < maxDepth && quote.test(line)) return readQuote(lines, at, depth)
  if (depth < maxDepth && item.test(line)) return readList(lines, at, depth)
  return readParagraph(lines, at, depth)
}

function readCode(lines: readonly string[], at: number, opening: string): Read {
  const closes = (line: string) =>
    line.trim().startsWith(opening) && line.trim().replaceAll(opening.charAt(0), '') === ''
  const last = firstFrom(lines, at + 1, closes)
  return [{ kind: 'code', text: lines.slice(at + 1, last).join('\n') }, last + 1]
}

function readQuote(lines: readonly string[], at: number, depth: number): Read {
  let end = at
  while (end < lines.length && quote.test(lines[end] ?? '')) end++
  const inner = lines.slice(at, end).map((line) => line.replace(quote, ''))
  return [{ kind: 'quote', blocks: parseLines(inner, depth + 1) }, end]
}

function readList(lines: readonly string[], at: number, depth: number): Read {
  const first = item.exec(lines[at] ?? '')
  const isOrdered = first?.[3] !== undefined
  const items: ListItem[] = []
  let next = at
  while (next < lines.length) {
    const found = item.exec(lines[next] ?? '')
    if (found === null || rule.test(lines[next] ?? '') || (found[3] !== undefined) !== isOrdered) break
    const [read, end] = readItem(lines, next, found, depth)
    items.push(read)
    next = end
    // Blank lines may stand between two items.
    const after = firstFrom(lines, next, (line) => line.trim() !== '')
    if (item.test(lines[after] ?? '')) next = after
  }
  return [{ kind: 'list', isOrdered, start: Number(first?.[3] ?? 1), items }, next]
}

function readItem(lines: readonly string[], at: number, found: RegExpExecArray, depth: number): [ListItem, number] {
  const [all, indent = '', bullet = ''] = found
  const width = Math.max(all.length, indent.length + bullet.length + 1)
  const text = (lines[at] ?? '').slice(all.length)
  const checked = box.exec(text)
  const inner = [text.replace(box, '')]
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const isInside = line.search(/\S/) >= width
    const isBlankInside = line.trim() === '' && (lines[end + 1] ?? '').search(/\S/) >= width
    const goesOn = !startsBlock(line, depth) && line.trim() !== '' && (lines[end - 1] ?? '').trim() !== ''
    if (!isInside && !isBlankInside && !goesOn) break
    inner.push(isInside ? line.slice(width) : line.trimStart())
  }
  const isDone = checked === null ? undefined : checked[1] !== ' '
  return [{ isDone, blocks: parseLines(inner, depth + 1) }, end]
}

function readParagraph(lines: readonly string[], at: number, depth: number): Read {
  let end = at + 1
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && !startsBlock(lines[end] ?? '', depth)) end++
  return [
    {
      kind: 'paragraph',
      text: lines
        .slice(at, end)
        .map((line) => line.trimStart())
        .join('\n'),
    },
    end,
  ]
}

const startsBlock = (line: string, depth: number) =>
  fence.test(line) ||
  heading.test(line) ||
  rule.test(line) ||
  (depth < maxDepth && (quote.test(line) || item.test(line)))

/** Without the marks that may close it. */
function headingText(written: string): string {
  const text = written.trim()
  let end = text.length
  while (text[end - 1] === '#') end--
  if (end === 0) return ''
  return /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text
}

/** The heads of the table that begins there; undefined where none does. */
function headsAt(lines: readonly string[], at: number): string[] | undefined {
  const [line = '', below = ''] = lines.slice(at, at + 2)
  if (!line.includes('|') || !below.includes('-') || !cellsOf(below).every((cell) => tableRule.test(cell)))
    return undefined
  const heads = cellsOf(line)
  return heads.length <= maxColumns ? heads : undefined
}

function readTable(lines: readonly string[], at: number, heads: string[]): Read {
  const rows: string[][] = []
  let end = at + 2
  for (; (lines[end] ?? '').includes('|') && (rows.length + 2) * heads.length <= maxCells; end++) {
    const cells = cellsOf(lines[end] ?? '')
    rows.push(heads.map((_, column) => cells[column] ?? ''))
  }
  return [{ kind: 'table', heads, rows }, end]
}

/** The first line that passes; past the last where none does. */
function firstFrom(lines: readonly string[], from: number, passes: (line: string) => boolean): number {
  let at = from
  while (at < lines.length && !passes(lines[at] ?? '')) at++
  return at
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
