import { syntaxTree } from '@codemirror/language'
import { RangeSetBuilder, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import type { SyntaxNodeRef } from '@lezer/common'
import { commandKey } from '../../../shell/shortcuts.ts'
import { memoryIdIn, readWikiTarget, titleKey } from './wiki-target.ts'

/**
 * Formats Markdown while it is edited: large headings, a background for code, and checkboxes that work. Marks are faint except on the
 * line with the cursor. Only the visible part is processed.
 */

/** The linked titles without a note. */
export const setMissingTitles = StateEffect.define<readonly string[]>()

const missingTitles = StateField.define<ReadonlySet<string>>({
  create: () => new Set(),
  update(titles, { effects }) {
    for (const effect of effects) if (effect.is(setMissingTitles)) return new Set(effect.value.map(titleKey))
    return titles
  },
})

export const livePreview = (): Extension => [decorations, ticking]

/** Kept in the editor even while the preview is off, so it knows the titles when it is turned on again. */
export const missingTitlesField: Extension = missingTitles

const decorations = ViewPlugin.fromClass(
  class {
    shown: DecorationSet
    constructor(view: EditorView) {
      this.shown = decorate(view)
    }
    update(update: ViewUpdate) {
      const isOld =
        update.docChanged ||
        update.viewportChanged ||
        update.selectionSet ||
        update.focusChanged ||
        syntaxTree(update.startState) !== syntaxTree(update.state) ||
        update.startState.field(missingTitles) !== update.state.field(missingTitles)
      if (isOld) this.shown = decorate(update.view)
    }
  },
  { decorations: ({ shown }) => shown },
)

interface Shown {
  from: number
  to: number
  decoration: Decoration
}

function decorate(view: EditorView): DecorationSet {
  const { state } = view
  const lines: Shown[] = []
  const marks: Shown[] = []
  const active = view.hasFocus ? activeLines(view) : new Set<number>()
  for (const visible of view.visibleRanges) {
    syntaxTree(state).iterate({
      ...visible,
      enter(node) {
        const lineClass = lineClasses[node.name]
        if (lineClass !== undefined) for (const line of linesOf(state, node, visible, lineClass)) lines.push(line)
        const mark = markOf(state, node, active)
        if (mark !== undefined) marks.push(mark)
        const hidden = hiddenIdOf(state, node, active)
        if (hidden !== undefined) marks.push(hidden)
      },
    })
  }
  const builder = new RangeSetBuilder<Decoration>()
  const all = [...lines, ...marks].toSorted(
    (a, b) => a.from - b.from || a.decoration.startSide - b.decoration.startSide || b.to - a.to,
  )
  for (const { from, to, decoration } of all) builder.add(from, to, decoration)
  return builder.finish()
}

const lineClasses: Readonly<Record<string, string>> = {
  ATXHeading1: 'cm-heading cm-heading-1',
  ATXHeading2: 'cm-heading cm-heading-2',
  ATXHeading3: 'cm-heading cm-heading-3',
  ATXHeading4: 'cm-heading',
  ATXHeading5: 'cm-heading',
  ATXHeading6: 'cm-heading',
  SetextHeading1: 'cm-heading cm-heading-1',
  SetextHeading2: 'cm-heading cm-heading-2',
  Blockquote: 'cm-quote',
  FencedCode: 'cm-code-line',
  CodeBlock: 'cm-code-line',
  Table: 'cm-table-line',
  HorizontalRule: 'cm-rule',
}

/** The visible lines of a block. A code block may have 100,000 lines. */
const linesOf = (state: EditorState, block: SyntaxNodeRef, visible: Range, className: string): Shown[] => {
  const decoration = Decoration.line({ class: className })
  return lineStarts(state, block, visible).map((from) => ({ from, to: from, decoration }))
}

interface Range {
  from: number
  to: number
}

/** The starts of the lines in both ranges. */
function lineStarts(state: EditorState, range: Range, within: Range): number[] {
  const starts: number[] = []
  const last = Math.min(range.to, within.to)
  for (let at = Math.max(range.from, within.from); at <= last;) {
    const line = state.doc.lineAt(at)
    starts.push(line.from)
    at = line.to + 1
  }
  return starts
}

const quiet = Decoration.mark({ class: 'cm-quiet' })
const inlineCode = Decoration.mark({ class: 'cm-inline-code' })
const howToOpen = `${commandKey}-click or ${commandKey}-Enter`
const noteLink = Decoration.mark({ class: 'cm-note-link', attributes: { title: `${howToOpen} to open` } })
const missingLink = Decoration.mark({
  class: 'cm-note-link cm-missing',
  attributes: { title: `Not created yet. ${howToOpen} to create it` },
})

const missingMemory = Decoration.mark({
  class: 'cm-note-link cm-missing',
  attributes: { title: 'No memory in this vault has this id' },
})

const quietMarks = new Set([
  'HeaderMark',
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'CodeInfo',
  'LinkMark',
  'WikiMark',
  'QuoteMark',
  'TableDelimiter',
])

function markOf(state: EditorState, node: SyntaxNodeRef, active: ReadonlySet<number>): Shown | undefined {
  const { name, from, to } = node
  if (from === to) return undefined
  if (name === 'InlineCode') return { from, to, decoration: inlineCode }
  if (name === 'WikiLink') {
    const { title } = readWikiTarget(state.sliceDoc(from + 2, to - 2))
    const isMissing = state.field(missingTitles).has(titleKey(title))
    const missing = memoryIdIn(title) === undefined ? missingLink : missingMemory
    return { from, to, decoration: isMissing ? missing : noteLink }
  }
  const isActive = active.has(state.doc.lineAt(from).from)
  if (isActive) return undefined
  if (name === 'TaskMarker')
    return { from, to, decoration: Decoration.replace({ widget: new Box(state.sliceDoc(from, to) !== '[ ]') }) }
  return quietMarks.has(name) || (name === 'URL' && node.node.parent?.name === 'Link')
    ? { from, to, decoration: quiet }
    : undefined
}

const hiddenId = Decoration.replace({})

/** Hides the id in a link to a memory, except on the line with the cursor. */
function hiddenIdOf(state: EditorState, { name, from, to }: SyntaxNodeRef, active: ReadonlySet<number>) {
  if (name !== 'WikiLink' || active.has(state.doc.lineAt(from).from)) return undefined
  const inner = state.sliceDoc(from + 2, to - 2)
  const bar = inner.indexOf('|')
  if (bar < 0 || memoryIdIn(readWikiTarget(inner).title) === undefined) return undefined
  return { from: from + 2, to: from + 2 + bar + 1, decoration: hiddenId }
}

const activeLines = ({ state, viewport }: EditorView): Set<number> =>
  new Set(state.selection.ranges.flatMap((range) => lineStarts(state, range, viewport)))

/** The checkbox of a list item. A click toggles it. */
class Box extends WidgetType {
  readonly isTicked: boolean
  constructor(isTicked: boolean) {
    super()
    this.isTicked = isTicked
  }
  override eq(other: Box) {
    return other.isTicked === this.isTicked
  }
  override toDOM() {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.checked = this.isTicked
    box.className = 'cm-box'
    // Keyboard users edit the `[ ]` in the text.
    box.tabIndex = -1
    box.setAttribute('aria-label', this.isTicked ? 'Done' : 'To do')
    return box
  }
  override ignoreEvent() {
    return false
  }
}

const ticking = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (!(event.target instanceof HTMLElement) || !event.target.classList.contains('cm-box')) return false
    event.preventDefault()
    if (view.state.readOnly) return true
    const at = view.posAtDOM(event.target)
    const isTicked = view.state.sliceDoc(at, at + 3) !== '[ ]'
    view.dispatch({ changes: { from: at + 1, to: at + 2, insert: isTicked ? ' ' : 'x' }, userEvent: 'input' })
    return true
  },
})
