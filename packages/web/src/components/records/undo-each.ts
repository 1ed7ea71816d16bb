import { CallError, messageOf } from '../../api/call-error.ts'
import { firstWords } from '../text/first-words.ts'
import { countOf } from '../text/time-text.ts'
import { toast, toastWarning } from '../../shell/toasts.tsx'

/** How to undo what was done to one record. */
export interface UndoStep {
  /** The record's title. */
  title: string
  undo: () => Promise<unknown>
}

/** Says why an undo left a record as it is. */
export class CannotUndo extends Error {
  readonly why: 'changed' | 'gone'

  constructor(why: 'changed' | 'gone') {
    super(`The record is ${why}`)
    this.name = 'CannotUndo'
    this.why = why
  }
}

export interface UndoResult {
  undone: number
  left: readonly { title: string; error: unknown }[]
}

/** Undoes what it can: a record that someone has changed since keeps that change, and doesn't stop the others. */
export async function undoEach(steps: readonly UndoStep[]): Promise<UndoResult> {
  const left: { title: string; error: unknown }[] = []
  for (const { title, undo } of steps)
    try {
      await undo()
    } catch (error) {
      left.push({ title, error })
    }
  return { undone: steps.length - left.length, left }
}

/** `message`: what to say if everything was undone. `verb`: what was done to the records. */
export function reportUndone(result: UndoResult, message = 'Undone', verb = 'undone'): void {
  if (result.left.length === 0) toast(message)
  else toastWarning(describeLeft(result, verb))
}

/** How many were undone, and which weren't and why. */
export function describeLeft({ undone, left }: UndoResult, verb = 'undone'): string {
  const reasons = Map.groupBy(left, ({ error }) => reasonFor(error))
  const sentences = Array.from(reasons, ([reason, records]) => {
    const [one, many] = wordsOf(reason, verb)
    return `${nameSome(records.map(({ title }) => title))} ${records.length === 1 ? one : many}`
  })
  return [...(undone > 0 ? [`${undone} ${verb}.`] : []), ...sentences].join(' ')
}

function reasonFor(error: unknown): string {
  if (error instanceof CannotUndo) return error.why
  if (error instanceof CallError && error.status === 409) return 'changed'
  if (error instanceof CallError && error.status === 404) return 'gone'
  return messageOf(error)
}

/** After the name of one record, and of several. */
function wordsOf(reason: string, verb: string): readonly [string, string] {
  if (reason === 'changed') return ['has changed since.', 'have changed since.']
  if (reason === 'gone') return ['no longer exists.', 'no longer exist.']
  return [`couldn’t be ${verb}: ${reason}`, `couldn’t be ${verb}: ${reason}`]
}

const maxNamed = 3

function nameSome(titles: readonly string[]): string {
  const names = titles.slice(0, maxNamed).map((title) => `“${firstWords(title)}”`)
  const rest = titles.length - names.length
  const all = rest > 0 ? [...names, `${rest} more`] : names
  return all.length === 1 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** Says how many archived records were restored. `gone`: how many were deleted permanently in the meantime. */
export function reportRestored(restored: number, gone: number, one: string, many: string): void {
  const message = describeRestored(restored, gone, one, many)
  if (gone === 0) toast(message)
  else toastWarning(message)
}

export function describeRestored(restored: number, gone: number, one: string, many: string): string {
  const found = `${countOf(restored, one, many)} restored`
  if (gone === 0) return found
  const lost = `${countOf(gone, one, many)} no longer ${gone === 1 ? 'exists' : 'exist'}.`
  return restored === 0 ? lost : `${found}. ${lost}`
}
