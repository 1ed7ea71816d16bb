import { Button, Collapse, Group } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  /** What stands in the open on small screens too. */
  lead?: ReactNode
  /** Whether something behind the button narrows the list, which it then shows at first. */
  isInUse: boolean
  /** Undefined where nothing narrows the list. */
  onClear: (() => void) | undefined
  children: ReactNode
}

/** What narrows a list: beside each other, on a small screen behind a button. */
export function FilterBar({ lead, isInUse, onClear, children }: Props) {
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isOpen, open] = useDisclosure(isInUse)
  const filters = (
    <Group gap="xs" align="center">
      {children}
    </Group>
  )
  return (
    <search>
      <Group gap="sm" mb="md" align="center">
        {lead}
        {isNarrow ? (
          <Button
            variant="default"
            leftSection={<SlidersHorizontal size={15} aria-hidden />}
            aria-expanded={isOpen}
            onClick={open.toggle}
          >
            Filters
          </Button>
        ) : (
          filters
        )}
        {onClear !== undefined && (
          <Button variant="subtle" size="compact-sm" onClick={onClear}>
            Clear all
          </Button>
        )}
      </Group>
      {isNarrow && (
        <Collapse expanded={isOpen} mb="md">
          {filters}
        </Collapse>
      )}
    </search>
  )
}
