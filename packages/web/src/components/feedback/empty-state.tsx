import { Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import classes from './empty-state.module.css'

interface Props {
  icon: LucideIcon
  /** One sentence. */
  children: ReactNode
  /** One button, filled if it is the next step and "default" if it leads back; or examples to choose from. */
  action?: ReactNode
  /** A command that does the same. */
  command?: string
}

/** What a page shows instead of content that it doesn't have yet. */
export function EmptyState({ icon: Icon, children, action, command }: Props) {
  return (
    <Stack className={classes.box} align="center" gap="md">
      <Icon size={24} strokeWidth={1.5} aria-hidden className={classes.icon} />
      <Text maw={460} ta="center" style={{ textWrap: 'balance' }}>
        {children}
      </Text>
      {action}
      {command !== undefined && (
        <div className={classes.command}>
          <CodeBlock code={command} label="On the command line" />
        </div>
      )}
    </Stack>
  )
}

/** Leads to the steps for each program, where what is missing comes from. */
export const ConnectAgent = () => (
  <Button renderRoot={(props) => <Link {...props} to="/connect" />}>Connect an agent</Button>
)
