import { Button } from '@mantine/core'
import { CircleAlert, Cloud, CloudOff, CloudUpload, GitMerge, PencilLine, type LucideIcon } from 'lucide-react'
import type { SaveState } from './note-draft.ts'
import classes from './note-view.module.css'

const marks: Record<SaveState['kind'], readonly [LucideIcon, string]> = {
  saved: [Cloud, 'Saved'],
  changed: [PencilLine, 'Not saved yet'],
  saving: [CloudUpload, 'Saving…'],
  retrying: [CloudOff, 'Not saved: '],
  refused: [CircleAlert, 'Not saved: '],
  conflict: [GitMerge, 'Not saved: it was changed elsewhere'],
  gone: [CircleAlert, 'Not saved: the note is gone'],
}

/** Whether the server has what was written, and what is in the way. */
export function SaveMark({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const [Icon, words] = marks[state.kind]
  const isBad = !['saved', 'changed', 'saving'].includes(state.kind)
  const reason = state.kind === 'retrying' || state.kind === 'refused' ? state.reason : ''
  return (
    <span className={classes.state} data-tone={isBad ? 'bad' : 'calm'} data-save={state.kind}>
      <Icon size={14} aria-hidden />
      <span role={isBad ? 'alert' : undefined}>
        {words}
        {reason}
        {state.kind === 'retrying' && ' Retrying.'}
      </span>
      {state.kind === 'retrying' && (
        <Button size="compact-xs" variant="default" flex="none" onClick={onRetry}>
          Try now
        </Button>
      )}
    </span>
  )
}
