import { Button, Tooltip } from '@mantine/core'
import { Waypoints, X } from 'lucide-react'

interface Props {
  /** Empty if no run is selected, as in the URL. */
  run: string
  onClear: () => void
}

/** Shows that a list is filtered by a run, and clears this filter. */
export function RunChip({ run, onClear }: Props) {
  if (run === '') return null
  return (
    <Tooltip label="Show records of all runs">
      <Button
        variant="light"
        size="compact-md"
        fw={500}
        maw={280}
        leftSection={<Waypoints size={14} aria-hidden />}
        rightSection={<X size={14} aria-hidden />}
        aria-label={`Clear the filter by run ${run}`}
        onClick={onClear}
      >
        {run}
      </Button>
    </Tooltip>
  )
}
