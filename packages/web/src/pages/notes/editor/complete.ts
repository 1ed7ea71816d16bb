import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { call } from '../../../api/call.ts'
import { titleOfType } from '../../../components/records/memory-marks.tsx'
import { listHeadings } from '../list-headings.ts'
import { completeInsert } from './inserts.ts'
import { memoryLink, withTitle } from './wiki-target.ts'

/**
 * Completes titles after `[[`, headings after `[[Title#`, tags after `#`, memories after `@m:`, and inserts after `/` (inserts.ts).
 * The server looks up titles, because they are encrypted in the store.
 */

const typingPauseMs = 120

export const completionsIn = (vaultId: string): CompletionSource[] => [
  (context) => completeTitle(context, vaultId),
  (context) => completeHeading(context, vaultId),
  (context) => completeTag(context, vaultId),
  (context) => completeMemory(context, vaultId),
  completeInsert,
]

async function completeTitle(context: CompletionContext, vaultId: string): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\[\[[^[\]\n|#]*$/)
  if (typed === null || (await isOvertaken(context))) return null
  const { notes } = await call('suggest-notes', { vaultId, q: typed.text.slice(2) }, signalOf(context))
  return {
    from: typed.from + 2,
    filter: false,
    options: notes.map(({ title, folderPath }): Completion => {
      const isTold = folderPath !== null
      return { label: title, type: 'note', apply: closing(title), ...(isTold && { detail: folderPath }) }
    }),
  }
}

async function completeHeading(context: CompletionContext, vaultId: string): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\[\[[^[\]\n|#]+#[^[\]\n|#]*$/)
  if (typed === null || (await isOvertaken(context))) return null
  const [title = '', heading = ''] = typed.text.slice(2).split('#')
  const { notes } = await call('suggest-notes', { vaultId, q: title.trim(), limit: 5 }, signalOf(context))
  const note = withTitle(notes, title)
  if (note === undefined) return null
  const found = await call('read-note', { vaultId, noteId: note.noteId }, signalOf(context))
  const options = listHeadings(found.note.content).map(({ text }): Completion => ({
    label: text,
    apply: closing(text),
  }))
  return { from: context.pos - heading.length, options, validFor: /^[^[\]\n|#]*$/ }
}

async function completeTag(context: CompletionContext, vaultId: string): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/(?:^|[\s(])#[\p{L}\p{N}_/-]+$/u)
  if (typed === null || (await isOvertaken(context))) return null
  const at = typed.text.indexOf('#') + 1
  const { tags } = await call('suggest-tags', { vaultId, q: typed.text.slice(at), limit: 10 }, signalOf(context))
  // Tags with white space can't be written in a text.
  const options = tags.flatMap(({ tag, count }): Completion[] =>
    /\s/.test(tag) ? [] : [{ label: tag, detail: String(count) }],
  )
  return { from: typed.from + at, filter: false, options }
}

const maxMemories = 8

/** Suggests the newest memories until something is typed. */
async function completeMemory(context: CompletionContext, vaultId: string): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/(?<![\p{L}\p{N}])@m:[^[\]\n|]{0,100}$/u)
  if (typed === null || (await isOvertaken(context))) return null
  const q = typed.text.slice('@m:'.length).trim()
  const input = { vaultId, limit: maxMemories, ...(q !== '' && { q }) }
  const found = await call('list-memories', input, signalOf(context))
  if (!('memories' in found)) return null
  const options = found.memories.map(({ id, title, memoryType }): Completion => {
    const label = title.trim() === '' ? 'Untitled' : title
    return { label, type: 'memory', detail: titleOfType(memoryType), apply: memoryLink(id, title) }
  })
  return { from: typed.from, filter: false, options }
}

/** Adds the closing brackets if they are missing. */
const closing = (text: string) => (view: EditorView, _: Completion, from: number, to: number) => {
  const isClosed = view.state.sliceDoc(to, to + 2) === ']]'
  view.dispatch({
    changes: { from, to, insert: isClosed ? text : `${text}]]` },
    selection: { anchor: from + text.length + 2 },
    userEvent: 'input.complete',
  })
}

/** Waits for a pause in typing. Returns whether more was typed since. */
async function isOvertaken(context: CompletionContext): Promise<boolean> {
  await new Promise((done) => setTimeout(done, typingPauseMs))
  return context.aborted
}

function signalOf(context: CompletionContext): AbortSignal {
  const controller = new AbortController()
  context.addEventListener('abort', () => controller.abort())
  return controller.signal
}
