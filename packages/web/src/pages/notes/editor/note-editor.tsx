import { autocompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { indentNodeProp, Language, languageDataProp, syntaxHighlighting } from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import {
  Annotation,
  Compartment,
  EditorState,
  Prec,
  type Extension,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref, type RefObject } from 'react'
import { completionsIn } from './complete.ts'
import { editorTheme, noteStyles, textStyle } from './editor-theme.ts'
import { linkAt, type LinkTarget } from './link-at.ts'
import { isReadable } from '../../../components/text/is-readable.ts'
import { livePreview, setMissingTitles, missingTitlesField } from './live-preview.ts'
import { noteParser } from '../../../components/text/wiki-syntax.ts'
import type { TextHandle } from '../open-note.ts'

interface Props {
  vaultId: string
  content: string
  isReadOnly: boolean
  /** The linked titles without a note. */
  missingTitles: readonly string[]
  /** With the place of the cursor. */
  onChange: (content: string, place: number) => void
  /** The editor lost the focus. */
  onBlur: (content: string) => void
  onOpen: (target: LinkTarget) => void
  onSave: () => void
  /** Called on Escape. */
  onLeave: () => void
  ref: Ref<TextHandle>
}

/** The editor of a note's text. Reports each change at once. If `content` changes from outside, it replaces the text. */
export function NoteEditor(props: Props) {
  const { vaultId, content, isReadOnly, missingTitles, ref } = props
  const frame = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const writable = useRef(new Compartment())
  const onChange = useEffectEvent(props.onChange)
  const onBlur = useEffectEvent(props.onBlur)
  const onOpen = useEffectEvent(props.onOpen)
  const onSave = useEffectEvent(props.onSave)
  const onLeave = useEffectEvent(props.onLeave)
  useImperativeHandle(ref, () => handleOf(view), [])
  const first = useEffectEvent(() => ({ content, readOnly: readOnly(isReadOnly) }))

  useEffect(() => {
    if (frame.current === null) return
    const began = first()
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: began.content,
        extensions: [
          writable.current.of(began.readOnly),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            const isOwn = transactions.some((each) => each.docChanged && each.annotation(fromOutside) !== true)
            if (docChanged && isOwn) onChange(state.doc.toString(), state.selection.main.head)
          }),
          keys({ onOpen: (target) => onOpen(target), onSave: () => onSave(), onLeave: () => onLeave() }),
          clicks((target) => onOpen(target)),
          EditorView.domEventHandlers({ blur: (_, { state }) => onBlur(state.doc.toString()) }),
          autocompletion({ override: completionsIn(vaultId), activateOnTypingDelay: 0, icons: false }),
          writing,
          reading.of(isReadable(began.content) ? markdown : noMarkdown),
          // Runs before the text is applied, so the parser never starts on a text that would take too long.
          EditorState.transactionExtender.of((transaction) => readingAfter(transaction)),
        ],
      }),
    })
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [vaultId])

  useEffect(() => view.current?.dispatch({ effects: writable.current.reconfigure(readOnly(isReadOnly)) }), [isReadOnly])
  useEffect(() => view.current?.dispatch({ effects: setMissingTitles.of(missingTitles) }), [missingTitles])
  useEffect(() => {
    if (view.current !== null) replaceText(view.current, content)
  }, [content])

  return <div ref={frame} />
}

const fromOutside = Annotation.define<boolean>()

/** Replaces only the part that differs, so the cursor keeps its position elsewhere. */
function replaceText(view: EditorView, content: string): void {
  const shown = view.state.doc.toString()
  if (shown === content) return
  let start = 0
  while (start < shown.length && shown[start] === content[start]) start++
  let end = 0
  const most = Math.min(shown.length, content.length) - start
  while (end < most && shown[shown.length - 1 - end] === content[content.length - 1 - end]) end++
  view.dispatch({
    changes: { from: start, to: shown.length - end, insert: content.slice(start, content.length - end) },
    // Undo is for what the person typed.
    annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)],
  })
}

/** What the page's bar covers at the top of the screen. */
const headPx = 56

const handleOf = (held: RefObject<EditorView | null>): TextHandle => ({
  focus: () => held.current?.focus(),
  goTo(at) {
    const view = held.current
    if (view === null) return
    const anchor = Math.min(at, view.state.doc.length)
    view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: headPx }),
    })
    view.focus()
  },
  top() {
    const view = held.current
    if (view === null) return 0
    const above = -view.documentTop
    return above <= 0 ? 0 : view.lineBlockAtHeight(above + headPx).from
  },
})

const readOnly = (is: boolean): Extension => [EditorState.readOnly.of(is), EditorView.editable.of(!is)]

interface Keys {
  onOpen: (target: LinkTarget) => void
  onSave: () => void
  onLeave: () => void
}

/** Tab leaves the editor, as everywhere. Ctrl or Cmd with ] and [ indents lines. */
const keys = ({ onOpen, onSave, onLeave }: Keys): Extension =>
  keymap.of([
    ...searchKeymap,
    {
      key: 'Mod-Enter',
      run({ state }) {
        const target = linkAt(state, state.selection.main.head)
        if (target !== undefined) onOpen(target)
        return target !== undefined
      },
    },
    { key: 'Mod-s', preventDefault: true, run: () => (onSave(), true) },
    { key: 'Escape', run: () => (onLeave(), true) },
    ...historyKeymap,
    ...defaultKeymap,
  ])

/** Ctrl+click or Cmd+click follows a link. A plain click places the cursor. */
const clicks = (onOpen: (target: LinkTarget) => void): Extension =>
  EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
      const target = at === null ? undefined : linkAt(view.state, at)
      if (target === undefined) return false
      event.preventDefault()
      onOpen(target)
      return true
    },
  })

// Assembled here, because the package's own function includes parsers for HTML, CSS and JavaScript.
const { data } = markdownLanguage
const props = [languageDataProp.add({ Document: data }), indentNodeProp.add({ Document: () => null })]
const noteLanguage = new Language(data, noteParser.configure({ props }), [], 'markdown')

const markdown: Extension = [noteLanguage, syntaxHighlighting(textStyle), livePreview()]
const reading = new Compartment()

/** Turns Markdown on or off when a text becomes short or long enough. */
function readingAfter({ docChanged, newDoc, startState }: Transaction): Pick<TransactionSpec, 'effects'> | null {
  if (!docChanged) return null
  const wanted = isReadable(newDoc.toString()) ? markdown : noMarkdown
  return reading.get(startState) === wanted ? null : { effects: reading.reconfigure(wanted) }
}

const noMarkdown: Extension = []

const writing: Extension = [
  history(),
  search({ top: true }),
  // Before the default keys, which include Enter.
  Prec.high(keymap.of(markdownKeymap)),
  missingTitlesField,
  placeholder('Start writing. / for commands, [[ to link a note, @m: to link a memory, # to tag.'),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': 'Text of the note',
    spellcheck: 'true',
    autocorrect: 'on',
    autocapitalize: 'sentences',
  }),
  noteStyles,
  editorTheme,
]
