import { Button, Collapse, Group, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Table2 } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  title: string
  chart: ReactNode
  /** The same data as numbers. */
  table: ReactNode
  children?: ReactNode
}

/** A chart with a button that shows its data as a table. */
export function Charted({ title, chart, table, children }: Props) {
  const [isOpen, open] = useDisclosure(false)
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        <Button
          variant="subtle"
          size="compact-sm"
          mr={-8}
          leftSection={<Table2 size={15} aria-hidden />}
          aria-expanded={isOpen}
          aria-label={`${title} as a table`}
          onClick={open.toggle}
        >
          As a table
        </Button>
      </Group>
      {children}
      {chart}
      <Collapse expanded={isOpen}>{isOpen && table}</Collapse>
    </section>
  )
}
