import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './settings-page.module.css'

interface Props {
  title: string
  lead?: ReactNode
  /** Shown to the right of the title. */
  actions?: ReactNode
  /** False for content with a border of its own, such as a command. */
  hasFrame?: boolean
  children: ReactNode
}

/** A section of the settings with its heading. */
export function Section({ title, lead, actions, hasFrame = true, children }: Props) {
  return (
    <section aria-label={title}>
      <div className={styles.head}>
        <Title order={2}>{title}</Title>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        {lead !== undefined && (
          <Text c="dimmed" className={styles.lead}>
            {lead}
          </Text>
        )}
      </div>
      <div className={hasFrame ? styles.card : styles.plain}>{children}</div>
    </section>
  )
}
