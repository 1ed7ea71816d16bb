import { Text, VisuallyHidden } from '@mantine/core'
import { diffLines, type DiffLine } from './diff-lines.ts'
import { markDifferences } from './mark-differences.ts'
import classes from './text-diff.module.css'

const signs: Readonly<Record<DiffLine['kind'], string>> = { same: '', removed: '−', added: '+', unchanged: '…' }
const words: Readonly<Record<DiffLine['kind'], string | undefined>> = {
  same: undefined,
  removed: 'Removed: ',
  added: 'Added: ',
  unchanged: undefined,
}

/** The changes from an older text to a newer one. */
export function TextDiff({ older, newer, label }: { older: string; newer: string; label: string }) {
  if (older === newer)
    return (
      <Text c="dimmed" my="xs">
        Same text as the current version.
      </Text>
    )
  return (
    // Focusable, so that it can be scrolled by keyboard.
    <div className={classes.diff} role="group" aria-label={label} tabIndex={0}>
      {markWords(diffLines(older, newer)).map(({ kind, text, other }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity than their place
        <div key={at} className={classes.line} data-kind={kind}>
          <span className={classes.sign} aria-hidden>
            {signs[kind]}
          </span>
          <span>
            {words[kind] !== undefined && <VisuallyHidden>{words[kind]}</VisuallyHidden>}
            {other === undefined
              ? text
              : markDifferences(text, other).map((piece) =>
                  piece.isDifferent ? <mark key={piece.at}>{piece.text}</mark> : piece.text,
                )}
          </span>
        </div>
      ))}
    </div>
  )
}

/** A line, and the one that it replaced or that replaced it. */
type MarkedLine = DiffLine & { other?: string }

/** Pairs the lines of each change whose both sides have as many. */
function markWords(lines: readonly DiffLine[]): MarkedLine[] {
  let pairFrom = 0
  let size = 0
  return lines.map((line, at) => {
    if (line.kind === 'removed' && lines[at - 1]?.kind !== 'removed') {
      const [removed, added] = [
        countOf(lines, at, 'removed'),
        countOf(lines, at + countOf(lines, at, 'removed'), 'added'),
      ]
      pairFrom = at
      size = removed === added ? removed : 0
    }
    if (at >= pairFrom + 2 * size) return line
    const other = lines[at < pairFrom + size ? at + size : at - size]
    return other === undefined ? line : { ...line, other: other.text }
  })
}

/** How many lines of a kind follow each other from here on. */
function countOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from
  while (lines[end]?.kind === kind) end++
  return end - from
}
