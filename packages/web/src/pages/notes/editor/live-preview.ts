import { syntaxTree } from '@codemirror/language'
import { RangeSetBuilder, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import type { SyntaxNodeRef } from '@lezer/common'
import { commandKey } from '../../../shell/command-key.ts'
import { readWikiTarget, titleKey } from './wiki-target.ts'

/**
 * Markdown that looks like what it means, while it stays the text that it is: headings are large, code has a ground, boxes
 * can be ticked, and marks step back on all lines but the one that is written in. What is out of sight is not looked at.
 */

/** Titles that the text links to and no note has. */
export const setMissingTitles = StateEffect.define<readonly string[]>()

const missingTitles = StateField.define<ReadonlySet<string>>({
  create: () => new Set(),
  update(titles, { effects }) {
    for (const effect of effects) if (effect.is(setMissingTitles)) return new Set(effect.value.map(titleKey))
    return titles
  },
})

export const livePreview = (): Extension => [missingTitles, decorations, ticking]

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
  const active = view.hasFocus ? activeLines(state) : new Set<number>()
  for (const { from, to } of view.visibleRanges)
    syntaxTree(state).iterate({
      from,
      to,
      enter(node) {
        const lineClass = lineClasses[node.name]
        if (lineClass !== undefined) lines.push(...linesOf(state, node, lineClass))
        const mark = markOf(state, node, active)
        if (mark !== undefined) marks.push(mark)
      },
    })
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

function linesOf(state: EditorState, { from, to }: SyntaxNodeRef, className: string): Shown[] {
  const shown: Shown[] = []
  const decoration = Decoration.line({ class: className })
  for (let at = from; at <= to;) {
    const line = state.doc.lineAt(at)
    shown.push({ from: line.from, to: line.from, decoration })
    at = line.to + 1
  }
  return shown
}

const quiet = Decoration.mark({ class: 'cm-quiet' })
const inlineCode = Decoration.mark({ class: 'cm-inline-code' })
const howToOpen = `${commandKey}-click or ${commandKey}-Enter`
const noteLink = Decoration.mark({ class: 'cm-note-link', attributes: { title: `${howToOpen} opens it` } })
const missingLink = Decoration.mark({
  class: 'cm-note-link cm-missing',
  attributes: { title: `No note is called that; ${howToOpen} makes it` },
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
    return { from, to, decoration: isMissing ? missingLink : noteLink }
  }
  const isActive = active.has(state.doc.lineAt(from).from)
  if (isActive) return undefined
  if (name === 'TaskMarker')
    return { from, to, decoration: Decoration.replace({ widget: new Box(state.sliceDoc(from, to) !== '[ ]') }) }
  return quietMarks.has(name) || (name === 'URL' && node.node.parent?.name === 'Link')
    ? { from, to, decoration: quiet }
    : undefined
}

function activeLines(state: EditorState): Set<number> {
  const lines = new Set<number>()
  for (const { from, to } of state.selection.ranges)
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at)
      lines.add(line.from)
      at = line.to + 1
    }
  return lines
}

/** A box of a list, which can be ticked where it stands. */
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
    // Reached by keyboard as the `[ ]` that it stands for.
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
