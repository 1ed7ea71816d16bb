import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './figure.module.css'

interface Props {
  name: string
  value: string
  /** Follows the value, smaller. */
  unit?: string
  note?: string
  children?: ReactNode
}

export function Figure({ name, value, unit, note, children }: Props) {
  return (
    <div className={styles.card}>
      <Text c="dimmed">{name}</Text>
      <Text fz={22} fw={600}>
        {value}
        {unit !== undefined && (
          <Text span size="xs" fw={400} c="dimmed">
            {' '}
            {unit}
          </Text>
        )}
      </Text>
      {children}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  )
}
