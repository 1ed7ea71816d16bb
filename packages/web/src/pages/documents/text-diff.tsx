import { Text, VisuallyHidden } from '@mantine/core'
import { diffLines, type DiffLine } from './diff-lines.ts'
import classes from './documents-page.module.css'

const signs: Readonly<Record<DiffLine['kind'], string>> = { same: '', removed: '−', added: '+', unchanged: '…' }
const words: Readonly<Record<DiffLine['kind'], string | undefined>> = {
  same: undefined,
  removed: 'Was there: ',
  added: 'Is there now: ',
  unchanged: undefined,
}

/** What became of an older text. */
export function TextDiff({ older, newer, label }: { older: string; newer: string; label: string }) {
  if (older === newer)
    return (
      <Text c="dimmed" my="xs">
        It says the same as now.
      </Text>
    )
  return (
    // Focusable, since it may have to be scrolled by keyboard.
    <div className={classes.diff} role="group" aria-label={label} tabIndex={0}>
      {diffLines(older, newer).map(({ kind, text }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no name but their place
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
