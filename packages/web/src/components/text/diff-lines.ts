import { diffArrays } from 'diff'

export interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'unchanged'
  text: string
}

/** Texts with more changed lines than this are shown as replaced completely. With 1,000, a comparison takes up to 0.2 s. */
const maxChanges = 1_000
/** Unchanged lines that are shown before and after each change. */
const context = 2

/** Compares two texts line by line. Longer unchanged stretches become one line of kind `unchanged` with their number of lines. */
export function diffLines(older: string, newer: string): DiffLine[] {
  const [before, after] = [linesOf(older), linesOf(newer)]
  const changes = diffArrays(before, after, { maxEditLength: maxChanges }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ]
  return fold(
    changes.flatMap(({ removed, added, value }) => {
      const kind = removed ? 'removed' : added ? 'added' : 'same'
      return value.map((text): DiffLine => ({ kind, text }))
    }),
  )
}

/** An empty text has no line, so none is shown as removed or added. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

function fold(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const folded: DiffLine[] = []
  let hidden = 0
  const close = () => {
    if (hidden > 0) folded.push({ kind: 'unchanged', text: `${hidden} unchanged ${hidden === 1 ? 'line' : 'lines'}` })
    hidden = 0
  }
  for (const [at, line] of lines.entries())
    if (isNear[at] === true) {
      close()
      folded.push(line)
    } else hidden++
  close()
  return folded
}
