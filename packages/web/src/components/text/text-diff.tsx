import { Text, VisuallyHidden } from '@mantine/core'
import { diffLines, type DiffLine } from './diff-lines.ts'
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
      {diffLines(older, newer).map(({ kind, text }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity than their place
        <div key={at} className={classes.line} data-kind={kind}>
          <span className={classes.sign} aria-hidden>
            {signs[kind]}
          </span>
          <span>
            {words[kind] !== undefined && <VisuallyHidden>{words[kind]}</VisuallyHidden>}
            {text}
          </span>
        </div>
      ))}
    </div>
  )
}
