import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './settings-page.module.css'

interface Props {
  title: string
  lead?: ReactNode
  /** At the right of the title. */
  actions?: ReactNode
  /** For tables, which have lines of their own. */
  isBare?: boolean
  children: ReactNode
}

/** One thing that can be set: a heading and what is beneath it. */
export function Section({ title, lead, actions, isBare = false, children }: Props) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" gap="sm">
        <Title order={2}>{title}</Title>
        {actions}
      </Group>
      {lead !== undefined && (
        <Text c="dimmed" mt={actions === undefined ? 2 : 8}>
          {lead}
        </Text>
      )}
      <div className={isBare ? styles.bare : styles.card}>{children}</div>
    </section>
  )
}
