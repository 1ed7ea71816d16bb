import {
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'

/** What `/` can insert, at the start of a word and outside code. */

interface Insert {
  label: string
  detail: string
  text: () => string
  /** The range to select after inserting. Without it, the cursor is placed at the end. */
  selected?: readonly [from: number, to: number]
  /** Offered only at the start of a line. */
  isBlock: boolean
  /** Whether it starts another completion. */
  isLookedUp?: boolean
}

const line = (label: string, mark: string): Insert => ({ label, detail: mark.trim(), text: () => mark, isBlock: true })

const tableHead = 'Column'
const table = `| ${tableHead} | ${tableHead} |\n| --- | --- |\n|  |  |\n`
const fence = '```'

const inserts: readonly Insert[] = [
  line('Heading 1', '# '),
  line('Heading 2', '## '),
  line('Heading 3', '### '),
  line('List', '- '),
  line('Task list', '- [ ] '),
  line('Quote', '> '),
  {
    label: 'Code',
    detail: fence,
    text: () => `${fence}\n\n${fence}\n`,
    selected: [fence.length + 1, fence.length + 1],
    isBlock: true,
  },
  { label: 'Table', detail: '| |', text: () => table, selected: [2, 2 + tableHead.length], isBlock: true },
  { label: 'Date', detail: 'today', text: today, isBlock: false },
  { label: 'Link to a note', detail: '[[', text: () => '[[', isBlock: false, isLookedUp: true },
  { label: 'Link to a memory', detail: '@m:', text: () => '@m:', isBlock: false, isLookedUp: true },
]

export function completeInsert(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/(?:^|\s)\/[\p{L}\d ]{0,20}$/u)
  if (typed === null || isInCode(context.state, context.pos)) return null
  const slash = typed.from + typed.text.indexOf('/')
  const words = context.state.sliceDoc(slash + 1, context.pos).toLowerCase()
  const { from } = context.state.doc.lineAt(slash)
  const isAtStart = context.state.sliceDoc(from, slash).trim() === ''
  const options = inserts
    .filter(({ label, isBlock }) => (isAtStart || !isBlock) && isMeant(label.toLowerCase(), words))
    .map((insert): Completion => ({ label: insert.label, detail: insert.detail, apply: putting(insert, slash) }))
  return options.length === 0 ? null : { from: slash + 1, filter: false, options }
}

/** The typed text may start at any word of the label, such as `/memory`. */
const isMeant = (label: string, words: string) => ` ${label}`.includes(` ${words}`)

const putting =
  ({ text, selected, isLookedUp = false }: Insert, slash: number) =>
  (view: EditorView, _: Completion, _from: number, to: number) => {
    const insert = text()
    const [anchor, head] = selected ?? [insert.length, insert.length]
    view.dispatch({
      changes: { from: slash, to, insert },
      selection: { anchor: slash + anchor, head: slash + head },
      userEvent: 'input.complete',
      scrollIntoView: true,
    })
    if (isLookedUp) startCompletion(view)
  }

const code = new Set(['FencedCode', 'CodeBlock', 'InlineCode'])

function isInCode(state: EditorState, at: number): boolean {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, -1); node !== null; node = node.parent)
    if (code.has(node.name)) return true
  return false
}

/** In the browser's time zone. */
function today(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
