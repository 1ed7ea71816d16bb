import { goToNextChunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import classes from './compare-texts.module.css'
import { editorTheme } from './editor/editor-theme.ts'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'

interface Side {
  label: string
  text: string
}

interface Props {
  left: Side
  right: Side
  /** Makes the right text editable, with buttons to take over passages of the left one. */
  onChange?: (text: string) => void
}

/** Shows two texts with the differences marked: side by side, or in one column on small screens. */
export function CompareTexts({ left, right, onChange }: Props) {
  const isOnPhone = useIsOnPhone()
  const frame = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const reportChange = useEffectEvent((text: string) => onChange?.(text))
  const first = useEffectEvent(() => right.text)
  const isEditable = onChange !== undefined
  const rightLabel = right.label
  const { label: leftLabel, text: leftText } = left
  useEffect(() => {
    if (frame.current === null) return
    const extensions = [
      named(rightLabel),
      shared,
      isEditable
        ? EditorView.updateListener.of(({ docChanged, state }) => docChanged && reportChange(state.doc.toString()))
        : fixed,
    ]
    const parent = frame.current
    const shown = isOnPhone
      ? new EditorView({
          parent,
          state: EditorState.create({
            doc: first(),
            extensions: [
              extensions,
              unifiedMergeView({ original: leftText, mergeControls: isEditable && chunkButton, gutter: false }),
            ],
          }),
        })
      : new MergeView({
          parent,
          a: { doc: leftText, extensions: [named(leftLabel), shared, fixed] },
          b: { doc: first(), extensions },
          gutter: false,
          ...(isEditable && { revertControls: 'a-to-b' as const, renderRevertControl: useTheirsButton }),
        })
    view.current = shown instanceof MergeView ? shown.b : shown
    goToNextChunk(view.current)
    return () => shown.destroy()
  }, [isOnPhone, isEditable, leftLabel, rightLabel, leftText])
  return (
    <div className={classes.frame}>
      <div className={classes.heads}>
        <span className={classes.theirs}>{leftLabel}</span>
        <span className={classes.mine}>{rightLabel}</span>
        <Button size="compact-xs" variant="default" onClick={() => view.current !== null && showNext(view.current)}>
          Next change
        </Button>
      </div>
      <div ref={frame} className={classes.texts} />
    </div>
  )
}

const named = (label: string): Extension => EditorView.contentAttributes.of({ 'aria-label': label })

const fixed: Extension = [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ tabindex: '0' }),
  EditorView.editable.of(false),
]

/** Continues at the first change after the last. */
function showNext(view: EditorView): void {
  const { head } = view.state.selection.main
  goToNextChunk(view)
  if (view.state.selection.main.head !== head) return
  view.dispatch({ selection: { anchor: 0 } })
  goToNextChunk(view)
}

function useTheirsButton(): HTMLElement {
  const made = button('→', 'Use this passage')
  // The library handles only mouse events, so a keyboard click needs one.
  made.addEventListener('click', ({ detail }) => {
    if (detail === 0) made.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  })
  return made
}

/** The library's terms: `accept` keeps the passage, `reject` uses theirs. */
function chunkButton(kind: 'reject' | 'accept', act: (event: MouseEvent) => void): HTMLElement {
  const made = button(kind === 'accept' ? 'Keep mine' : 'Use theirs')
  made.addEventListener('click', act)
  return made
}

function button(text: string, label?: string): HTMLElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  if (label !== undefined) {
    made.title = label
    made.setAttribute('aria-label', label)
  }
  return made
}

/** The first extension wins if two conflict. */
const shared: Extension = [
  EditorView.lineWrapping,
  EditorView.theme({
    '&': { fontSize: '13.5px' },
    '.cm-content': { padding: '6px 0', minHeight: '0' },
    '.cm-line': { padding: '0 10px' },
    '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'light-dark(#fdecea, #3a1c1a)' },
    '&.cm-merge-b .cm-changedLine, .cm-changedLine': { backgroundColor: 'light-dark(#e7f6ee, #14332a)' },
    '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'light-dark(#f7c8c3, #6b2a25)' },
    '&.cm-merge-b .cm-changedText, .cm-changedText': { background: 'light-dark(#b5e3cb, #1f5a49)' },
  }),
  editorTheme,
]
