import { Text, Title } from '@mantine/core'
import { createContext, useContext, type ReactNode } from 'react'
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

/** The title of a page with a single section of the settings, which that section doesn’t repeat. */
export const PageTitle = createContext('')

/** A section of the settings with its heading. */
export function Section({ title, lead, actions, hasFrame = true, children }: Props) {
  const isTitled = useContext(PageTitle) === title
  return (
    <section aria-label={title}>
      <div className={styles.head}>
        {!isTitled && <Title order={2}>{title}</Title>}
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
