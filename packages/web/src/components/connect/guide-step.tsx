import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function GuideStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text fw={600} mb={6}>
        {title}
      </Text>
      {children}
    </div>
  )
}
