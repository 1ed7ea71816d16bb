import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'

interface Props {
  /** What it creates: `New task`. */
  children: string
  onClick: () => void
  /** Whether the page shows its empty state, which then has the one filled button: the next step. */
  isEmpty?: boolean
}

/** The button next to a page's title that creates a record. */
export const NewButton = ({ children, onClick, isEmpty = false }: Props) => (
  <Button variant={isEmpty ? 'default' : 'filled'} leftSection={<Plus size={16} aria-hidden />} onClick={onClick}>
    {children}
  </Button>
)
