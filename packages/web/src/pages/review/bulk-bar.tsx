import type { ReviewItem } from '@holdfast/client/dashboard'
import { Button, Group, Text } from '@mantine/core'
import { Check, X } from 'lucide-react'
import { formatCount } from '../../components/text/time-text.ts'
import classes from './review-card.module.css'
import { kinds } from './kinds.ts'
import type { Decision } from './perform.ts'

interface Props {
  selected: readonly ReviewItem[]
  onDecide: (items: readonly ReviewItem[], decision: Decision) => void
  onSkip: (items: readonly ReviewItem[]) => void
  onClear: () => void
}

/** Decides all selected items at once. */
export function BulkBar({ selected, onDecide, onSkip, onClear }: Props) {
  const [first] = selected
  if (first === undefined) return null
  const { acceptMany, rejectMany } = kinds[first.kind]
  return (
    <Group gap="xs" className={classes.bulk} role="group" aria-label="Selected items">
      <Text size="sm" fw={550}>
        {formatCount(selected.length)} selected
      </Text>
      <Button
        variant="default"
        size="xs"
        leftSection={<Check size={14} aria-hidden />}
        aria-keyshortcuts="a"
        onClick={() => onDecide(selected, 'accept')}
      >
        {acceptMany}
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<X size={14} aria-hidden />}
        aria-keyshortcuts="r"
        onClick={() => onDecide(selected, 'reject')}
      >
        {rejectMany}
      </Button>
      <Button variant="subtle" size="xs" aria-keyshortcuts="s" onClick={() => onSkip(selected)}>
        Skip
      </Button>
      <Button variant="subtle" color="gray" size="xs" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  )
}
