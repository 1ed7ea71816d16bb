import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './settings-page.module.css'

interface Props {
  title: string
  lead?: ReactNode
  /** Shown to the right of the title. */
  actions?: ReactNode
  /** Without the card frame, for tables, which have their own borders. */
  isBare?: boolean
  children: ReactNode
}

/** A section of the settings with its heading. */
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
