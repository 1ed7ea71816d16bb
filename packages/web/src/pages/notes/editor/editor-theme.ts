import { HighlightStyle } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { styleNonce } from '../../../page-policy.ts'
import { hashTagStyle } from '../../../components/text/wiki-syntax.ts'

/** Uses the page's color variables, so the editor follows both color schemes and high contrast. */

const accent = 'light-dark(var(--mantine-color-kelp-7), var(--mantine-color-kelp-3))'
const line = '1px solid var(--hf-line)'

/** The theme of all editors. The page's policy allows only styles with its nonce. */
export const editorTheme: Extension = [
  EditorView.cspNonce.of(styleNonce),
  EditorView.theme({
    '&': { color: 'var(--mantine-color-text)', backgroundColor: 'transparent', fontSize: '15px' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mantine-font-family)', lineHeight: '1.65', overflowX: 'auto' },
    '.cm-content': { padding: '4px 0 120px', minHeight: '240px', caretColor: 'var(--mantine-color-text)' },
    '.cm-line': { padding: '0 2px', overflowWrap: 'anywhere' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--mantine-color-text)' },
    '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
    '.cm-tooltip': {
      border: '1px solid var(--mantine-color-default-border)',
      borderRadius: 'var(--mantine-radius-md)',
      backgroundColor: 'var(--mantine-color-body)',
      color: 'var(--mantine-color-text)',
      boxShadow: 'var(--mantine-shadow-md)',
      overflow: 'hidden',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family)', maxHeight: '24em' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '5px 10px', lineHeight: '1.4' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'light-dark(var(--mantine-color-kelp-1), #1d3b36)',
      color: 'var(--mantine-color-text)',
    },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
    '.cm-completionDetail': { color: 'var(--mantine-color-dimmed)', fontStyle: 'normal' },
    '.cm-panels': {
      backgroundColor: 'var(--hf-surface)',
      color: 'var(--mantine-color-text)',
      borderBottom: line,
      zIndex: '2',
    },
    // Below the top bar of small screens.
    '@media (max-width: 767px)': { '.cm-panels-top': { top: '52px !important' } },
    '.cm-panel.cm-search': { padding: '8px 36px 8px 10px', fontSize: '13px' },
    '.cm-panel.cm-search label': { fontSize: '13px' },
    '.cm-panel.cm-search [name=close]': { width: '24px', height: '24px', fontSize: '18px' },
    '.cm-textfield': {
      border: '1px solid var(--mantine-color-default-border)',
      borderRadius: 'var(--mantine-radius-sm)',
      backgroundColor: 'var(--mantine-color-body)',
      color: 'inherit',
      padding: '4px 8px',
      fontSize: '13px',
    },
    '.cm-button': {
      border: '1px solid var(--mantine-color-default-border)',
      borderRadius: 'var(--mantine-radius-sm)',
      background: 'var(--mantine-color-default)',
      color: 'inherit',
      padding: '4px 10px',
      fontSize: '13px',
    },
    '.cm-searchMatch': { backgroundColor: 'light-dark(#fbe7a8, #5a4a12)' },
    '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'light-dark(#f3c33f, #8a6d10)' },
  }),
]

/** The styles of the live preview. live-preview.ts assigns the classes. */
export const noteStyles = EditorView.theme({
  '.cm-heading': { fontWeight: '600', lineHeight: '1.35', paddingTop: '10px' },
  '.cm-heading-1': { fontSize: '1.5em' },
  '.cm-heading-2': { fontSize: '1.25em' },
  '.cm-heading-3': { fontSize: '1.1em' },
  '.cm-quote': { borderLeft: '3px solid var(--mantine-color-default-border)', paddingLeft: '12px' },
  '.cm-code-line, .cm-table-line': {
    backgroundColor: 'var(--hf-surface)',
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '0.87em',
    padding: '0 10px',
  },
  '.cm-rule': { color: 'var(--mantine-color-placeholder)' },
  '.cm-inline-code': {
    padding: '1px 3px',
    borderRadius: 'var(--mantine-radius-sm)',
    backgroundColor: 'var(--hf-surface-hover)',
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '0.9em',
  },
  '.cm-quiet, .cm-quiet *': { color: 'var(--mantine-color-placeholder)', fontWeight: 'normal' },
  '.cm-code-line .cm-quiet, .cm-code-line .cm-quiet *': { color: 'var(--mantine-color-dimmed)' },
  '.cm-note-link': { color: accent, textDecoration: 'underline', textUnderlineOffset: '3px' },
  '.cm-note-link *': { color: 'inherit' },
  '.cm-missing': { textDecorationStyle: 'dashed', color: 'var(--mantine-color-dimmed)' },
  '.cm-box': { width: '15px', height: '15px', margin: '0 5px 0 1px', verticalAlign: '-2px', accentColor: accent },
})

export const textStyle = HighlightStyle.define([
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: [tags.link, tags.url], color: accent },
  { tag: hashTagStyle, color: accent, fontWeight: '550' },
  { tag: tags.processingInstruction, color: 'var(--mantine-color-dimmed)' },
  { tag: tags.quote, color: 'var(--mantine-color-dimmed)' },
  { tag: [tags.monospace, tags.comment], color: 'var(--mantine-color-text)' },
])
