export interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'unchanged'
  text: string
}

/** So many pairs of lines are compared one by one; what is longer counts as replaced as a whole. */
const maxPairs = 4_000_000
/** Around what differs. */
const context = 2

/**
 * What the newer text has in place of the older one's lines: the longest common sequence stays. Long stretches that are alike
 * are one line of kind `unchanged`, which says how many.
 */
export function diffLines(older: string, newer: string): DiffLine[] {
  const [before, after] = [older.split('\n'), newer.split('\n')]
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const middle = compare(before.slice(start, before.length - end), after.slice(start, after.length - end))
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  return fold([...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))])
}

function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ({ kind: 'removed', text }))
  const added = after.map((text): DiffLine => ({ kind: 'added', text }))
  if (before.length * after.length > maxPairs) return [...removed, ...added]
  const width = after.length + 1
  // The length of the longest common sequence of what follows each pair of places.
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const [old, fresh] = [removed[row], added[column]]
    if (old !== undefined && fresh !== undefined && old.text === fresh.text) {
      lines.push({ kind: 'same', text: old.text })
      row++
      column++
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(old)
      row++
    } else if (fresh !== undefined) {
      lines.push(fresh)
      column++
    }
  }
  return lines
}

function fold(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const folded: DiffLine[] = []
  let hidden = 0
  const close = () => {
    if (hidden > 0) folded.push({ kind: 'unchanged', text: `${hidden} ${hidden === 1 ? 'line' : 'lines'} alike` })
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
