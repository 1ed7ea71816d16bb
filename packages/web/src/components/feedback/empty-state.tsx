import { Stack, Text } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import classes from './empty-state.module.css'

interface Props {
  icon: LucideIcon
  /** One sentence. */
  children: ReactNode
  /** One button. */
  action?: ReactNode
  /** A command that does the same. */
  command?: string
}

export function EmptyState({ icon: Icon, children, action, command }: Props) {
  return (
    <Stack className={classes.box} align="center" gap="md">
      <Icon size={28} strokeWidth={1.5} aria-hidden className={classes.icon} />
      <Text maw={460} ta="center">
        {children}
      </Text>
      {action}
      {command !== undefined && <CodeBlock code={command} label="On the command line" />}
    </Stack>
  )
}
