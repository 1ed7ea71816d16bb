import type { SyntaxNode, Tree } from '@lezer/common'
import { isReadable } from './is-readable.ts'
import { parseInSteps } from './parse-in-steps.ts'
import { noteParser } from './wiki-syntax.ts'

/** Reads Markdown (CommonMark, GFM and `[[Title]]`) into data that React can render. None of it becomes markup of the page. */
export type Block =
  /** `from`: where it starts in the text. */
  | { kind: 'heading'; level: number; from: number; parts: Inline[] }
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: ListItem[] }
  | { kind: 'table'; heads: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

interface ListItem {
  /** Undefined for an item without a checkbox. */
  isDone: boolean | undefined
  blocks: Block[]
}

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'strike'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] }
  /** An image is described and never loaded: a request would tell its server who reads this text, and when. */
  | { kind: 'image'; alt: string }
  /** `target`: what it links to, such as `Title#Heading`. */
  | { kind: 'wiki'; target: string; text: string }
  | { kind: 'tag'; text: string }
  | { kind: 'break' }

/** Wider tables are shown as text, because short rows are filled up to all columns. */
const maxColumns = 100
/** The most cells of one table. Further rows are shown as text, because each cell is an element of the page. */
const maxCells = 20_000
/** Deeper marks inside marks are shown as written. */
const maxInlineDepth = 8

// HTML is shown as written, so the Markdown between two tags is read as well.
const parser = noteParser.configure({ remove: ['HTMLBlock'] })

export function readMarkdown(text: string): Block[] {
  if (!isReadable(text)) return [{ kind: 'paragraph', parts: [{ kind: 'text', text }] }]
  return [...blocksOf(text, parser.parse(text))]
}

/** Reads a long text without blocking the page. Undefined once `signal` aborts. */
export const parseMarkdown = (text: string, signal: AbortSignal) => parseInSteps(parser, text, signal)

/** The blocks of a text, read one at a time. */
export function* blocksOf(text: string, tree: Tree): Generator<Block> {
  const reader = new MarkdownReader(text, tree.topNode)
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) yield* reader.read(node)
}

class MarkdownReader {
  readonly #text: string
  readonly #top: SyntaxNode
  #references: Map<string, string> | undefined

  constructor(text: string, top: SyntaxNode) {
    this.#text = text
    this.#top = top
  }

  blocksIn(parent: SyntaxNode): Block[] {
    return childrenOf(parent).flatMap((node) => this.read(node))
  }

  read(node: SyntaxNode): Block[] {
    const { name } = node
    if (name === 'Paragraph' || name === 'Task') return [{ kind: 'paragraph', parts: trimmed(this.#inline(node)) }]
    if (name === 'FencedCode' || name === 'CodeBlock') return [{ kind: 'code', text: this.#code(node) }]
    if (name === 'Blockquote') return [{ kind: 'quote', blocks: this.blocksIn(node) }]
    if (name === 'BulletList' || name === 'OrderedList') return [this.#list(node)]
    if (name === 'Table') return this.#table(node)
    if (name === 'HorizontalRule') return [{ kind: 'rule' }]
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1]
    if (level === undefined) return []
    return [{ kind: 'heading', level: Number(level), from: node.from, parts: trimmed(this.#inline(node)) }]
  }

  #code(node: SyntaxNode): string {
    return node
      .getChildren('CodeText')
      .map((part) => this.#slice(part))
      .join('')
  }

  #list(node: SyntaxNode): Block {
    const items = node.getChildren('ListItem')
    const [mark] = items[0]?.getChildren('ListMark') ?? []
    return {
      kind: 'list',
      isOrdered: node.name === 'OrderedList',
      start: mark === undefined ? 1 : Number.parseInt(this.#slice(mark), 10) || 0,
      items: items.map((item) => {
        const box = item.getChild('Task')?.getChild('TaskMarker')
        return { isDone: box == null ? undefined : this.#slice(box) !== '[ ]', blocks: this.blocksIn(item) }
      }),
    }
  }

  #table(node: SyntaxNode): Block[] {
    const header = node.getChild('TableHeader')
    const heads = header === null ? [] : this.#cells(header, Infinity)
    if (heads.length > maxColumns) return [textBlock(this.#slice(node))]
    const all = node.getChildren('TableRow')
    const rows = all.slice(0, Math.floor(maxCells / heads.length) - 1)
    const left = all[rows.length]
    const table: Block = {
      kind: 'table',
      heads,
      rows: rows.map((row) => {
        const cells = this.#cells(row, heads.length)
        return heads.map((_, column) => cells[column] ?? [])
      }),
    }
    return left === undefined ? [table] : [table, textBlock(this.#text.slice(left.from, node.to))]
  }

  /**
   * The cells of a row. GFM ends a cell at each `|`, even inside code. If a row has too many cells because of that, the pieces of the
   * code are joined again, which is what its writer meant.
   */
  #cells(row: SyntaxNode, columns: number): Inline[][] {
    const ranges: { from: number; to: number; node?: SyntaxNode }[] = [{ from: row.from, to: row.from }]
    for (const child of childrenOf(row)) {
      if (child.name === 'TableCell') ranges.splice(-1, 1, { from: child.from, to: child.to, node: child })
      else if (child.from > row.from) ranges.push({ from: child.to, to: child.to })
    }
    if (ranges.at(-1)?.node === undefined) ranges.pop()
    for (let at = 0; ranges.length > columns && at < ranges.length - 1;) {
      const [cell, next] = ranges.slice(at, at + 2) as [(typeof ranges)[number], (typeof ranges)[number]]
      const isCut = this.#text.slice(cell.from, cell.to).split('`').length % 2 === 0
      if (isCut) ranges.splice(at, 2, { from: cell.from, to: next.to })
      else at++
    }
    return ranges.map(({ from, to, node }) => {
      if (node !== undefined) return trimmed(this.#inline(node))
      const [block] = readMarkdown(this.#text.slice(from, to))
      return block?.kind === 'paragraph' ? block.parts : []
    })
  }

  #inline(parent: SyntaxNode, depth = 0): Inline[] {
    return this.#partsOf(parent, parent.from, parent.to, depth)
  }

  /** The content of a node between two places: its children, and the text between them. */
  #partsOf(parent: SyntaxNode, from: number, to: number, depth: number): Inline[] {
    const parts = new Parts()
    let at = from
    for (const child of childrenOf(parent)) {
      if (child.to <= from || child.from >= to) continue
      parts.addText(this.#text.slice(at, child.from))
      for (const part of this.#part(child, depth)) parts.add(part)
      at = child.to
    }
    parts.addText(this.#text.slice(at, to))
    return parts.all
  }

  #part(node: SyntaxNode, depth: number): Inline[] {
    if (hiddenMarks.has(node.name)) return []
    const kind = nestedKinds[node.name]
    if (kind !== undefined && depth < maxInlineDepth) return [{ kind, parts: this.#inline(node, depth + 1) }]
    const written = this.#slice(node)
    switch (node.name) {
      case 'Escape':
        return [{ kind: 'text', text: written.slice(1) }]
      case 'Entity':
        return [{ kind: 'text', text: entities[written] ?? written }]
      case 'HardBreak':
        return [{ kind: 'break' }]
      case 'InlineCode':
        return [{ kind: 'code', text: this.#inlineCode(node) }]
      case 'WikiLink':
        return [wikiLink(written.slice(2, -2))]
      case 'HashTag':
        return [{ kind: 'tag', text: written }]
      case 'Autolink':
      case 'URL':
        return [this.#autolink(written.replaceAll(/^<|>$/g, ''))]
      case 'Image':
      case 'Link':
        return depth < maxInlineDepth ? this.#link(node, depth) : [{ kind: 'text', text: written }]
      default:
        return [{ kind: 'text', text: written }]
    }
  }

  #inlineCode(node: SyntaxNode): string {
    const [open, close] = [node.firstChild, node.lastChild]
    const inner = this.#text.slice(open?.to ?? node.from, close?.from ?? node.to).replaceAll(/\n[ \t]*/g, ' ')
    const text = node.parent?.name === 'TableCell' ? inner.replaceAll(String.raw`\|`, '|') : inner
    return /^ .*\S.* $/.test(text) ? text.slice(1, -1) : text
  }

  #autolink(written: string): Inline {
    const scheme = /^[a-z][\w+.-]*:/i.test(written) ? '' : written.includes('@') ? 'mailto:' : 'http://'
    const text: Inline = { kind: 'text', text: written }
    return isSafe(scheme + written) ? { kind: 'link', href: scheme + written, parts: [text] } : text
  }

  /** A link or an image. Without an address, or with one that is not safe to open, it is shown as written. */
  #link(node: SyntaxNode, depth: number): Inline[] {
    const marks = node.getChildren('LinkMark')
    const [open, close] = marks
    const href = this.#hrefOf(node)
    if (open === undefined || close === undefined || href === undefined) return this.#unlinked(node, depth)
    const parts = this.#partsOf(node, open.to, close.from, depth + 1)
    if (node.name === 'Image') return [{ kind: 'image', alt: textOf(parts) }]
    return isSafe(href) ? [{ kind: 'link', href, parts }] : this.#unlinked(node, depth)
  }

  #unlinked(node: SyntaxNode, depth: number): Inline[] {
    // A task's `[x] ` or a plain `[1]` also looks like a reference; what is inside may have marks.
    const marks = node.getChildren('LinkMark')
    const [open, close] = marks
    if (open === undefined || close === undefined) return [{ kind: 'text', text: this.#slice(node) }]
    return [
      { kind: 'text', text: this.#text.slice(node.from, open.to) },
      ...this.#partsOf(node, open.to, close.from, depth + 1),
      { kind: 'text', text: this.#text.slice(close.from, node.to) },
    ]
  }

  #hrefOf(node: SyntaxNode): string | undefined {
    const url = node.getChild('URL')
    if (url !== null) return this.#address(url)
    if (node.getChildren('LinkMark').length > 2) return undefined
    const label = node.getChild('LinkLabel')
    const [open, close] = node.getChildren('LinkMark')
    const written = label === null ? '' : this.#slice(label).slice(1, -1)
    const name = written === '' ? this.#text.slice(open?.to, close?.from) : written
    this.#references ??= this.#listReferences()
    return this.#references.get(labelKey(name))
  }

  #listReferences(): Map<string, string> {
    const references = new Map<string, string>()
    if (!this.#text.includes(']:')) return references
    this.#top.cursor().iterate(({ name, node }) => {
      if (name !== 'LinkReference') return
      const [label, url] = [node.getChild('LinkLabel'), node.getChild('URL')]
      if (label === null || url === null) return
      const key = labelKey(this.#slice(label).slice(1, -1))
      if (!references.has(key)) references.set(key, this.#address(url))
    })
    return references
  }

  #address(url: SyntaxNode): string {
    return this.#slice(url)
      .replaceAll(/^<|>$/g, '')
      .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  }

  #slice({ from, to }: { from: number; to: number }): string {
    return this.#text.slice(from, to)
  }
}

/** Collects parts and joins neighboring texts. Lines lose their indentation, which belongs to the list or quote around them. */
class Parts {
  readonly all: Inline[] = []

  add(part: Inline): void {
    const last = this.all.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') last.text += part.text
    else if (part.kind !== 'text' || part.text !== '') this.all.push({ ...part })
  }

  addText(text: string): void {
    const last = this.all.at(-1)
    const startsLine = last?.kind === 'break' || (last?.kind === 'text' && last.text.endsWith('\n'))
    const plain = text.replaceAll(/\n[ \t]+/g, '\n')
    this.add({ kind: 'text', text: startsLine ? plain.replace(/^[ \t]+/, '') : plain })
  }
}

const nestedKinds: Readonly<Record<string, 'strong' | 'emphasis' | 'strike'>> = {
  StrongEmphasis: 'strong',
  Emphasis: 'emphasis',
  Strikethrough: 'strike',
}

const hiddenMarks = new Set([
  'HeaderMark',
  'QuoteMark',
  'EmphasisMark',
  'StrikethroughMark',
  'TaskMarker',
  'WikiMark',
  'TableDelimiter',
])

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&nbsp;': '\u00A0',
}

/** Other schemes, such as `javascript:`, are never links. Neither are relative addresses: they would lead to the dashboard. */
const isSafe = (href: string) => /^(?:https?:\/\/|mailto:)/i.test(href)

function wikiLink(inner: string): Inline {
  const [target = ''] = inner.split('|')
  return { kind: 'wiki', target, text: inner.split('|').at(-1) ?? '' }
}

const labelKey = (label: string) => label.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const textBlock = (text: string): Block => ({ kind: 'paragraph', parts: [{ kind: 'text', text }] })

function childrenOf(parent: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

/** Without the spaces and line breaks at both ends. */
function trimmed(parts: Inline[]): Inline[] {
  const [first, last] = [parts[0], parts.at(-1)]
  if (first?.kind === 'text') first.text = first.text.trimStart()
  if (last?.kind === 'text') last.text = last.text.trimEnd()
  return parts.filter((part) => part.kind !== 'text' || part.text !== '')
}

export const textOf = (parts: readonly Inline[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'image') return part.alt
      if (part.kind === 'break') return ' '
      return 'parts' in part ? textOf(part.parts) : part.text
    })
    .join('')

/** A Markdown text in one line and without its marks. */
export function plainText(text: string): string {
  const parts = readMarkdown(text.replaceAll(/\s+/g, ' ').trim()).flatMap(partsIn)
  return textOf(parts).trim()
}

function partsIn(block: Block): Inline[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return block.parts
    case 'quote':
      return block.blocks.flatMap(partsIn)
    case 'list':
      return block.items.flatMap((item) => item.blocks.flatMap(partsIn))
    case 'code':
      return [{ kind: 'text', text: block.text }]
    case 'table':
    case 'rule':
      return []
  }
}
