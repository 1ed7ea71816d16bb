import { Button, Tooltip } from '@mantine/core'
import { Waypoints, X } from 'lucide-react'

interface Props {
  /** '' for none, as in the URL. */
  run: string
  onClear: () => void
}

/** Says that a list holds what one run has made, and lets go of it. */
export function RunChip({ run, onClear }: Props) {
  if (run === '') return null
  return (
    <Tooltip label="Show what other runs made as well">
      <Button
        variant="light"
        size="compact-md"
        fw={500}
        maw={280}
        leftSection={<Waypoints size={14} aria-hidden />}
        rightSection={<X size={14} aria-hidden />}
        aria-label={`Only of the run ${run}: clear`}
        onClick={onClear}
      >
        {run}
      </Button>
    </Tooltip>
  )
}
