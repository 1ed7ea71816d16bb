import { Button, Group, Text } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../text/time-text.ts'

interface Props {
  page: { total: number; limit: number; offset: number; hasMore: boolean }
  onOffset: (offset: number) => void
}

/** The pages of a list. Shows nothing if there is only one. */
export function Pager({ page: { total, limit, offset, hasMore }, onOffset }: Props) {
  if (offset === 0 && !hasMore) return null
  return (
    <Group component="nav" aria-label="Pages of the list" justify="space-between" mt="md">
      <Text size="sm" c="dimmed" aria-live="polite">
        {formatCount(Math.min(offset + 1, total))} to {formatCount(Math.min(offset + limit, total))} of{' '}
        {formatCount(total)}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<ChevronLeft size={16} aria-hidden />}
          disabled={offset === 0}
          onClick={() => onOffset(Math.max(0, offset - limit))}
        >
          Previous
        </Button>
        <Button
          variant="default"
          rightSection={<ChevronRight size={16} aria-hidden />}
          disabled={!hasMore}
          onClick={() => onOffset(offset + limit)}
        >
          Next
        </Button>
      </Group>
    </Group>
  )
}
