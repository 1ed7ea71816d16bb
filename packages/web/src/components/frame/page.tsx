import { Box, Group, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import classes from './page.module.css'

interface Props {
  title: string
  /** One sentence on what is found here. */
  lead?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** What the tab and screen readers are told when a page opens. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Holdfast`
    const announcer = document.querySelector('#announcer')
    if (announcer !== null) announcer.textContent = title
  }, [title])
}

/** A page's heading, told to all when it opens. */
export function Page({ title, lead, actions, children }: Props) {
  usePageTitle(title)
  return (
    <>
      <header className={classes.header}>
        <Box miw={0}>
          <Title order={1}>{title}</Title>
          {lead !== undefined && (
            <Text c="dimmed" mt={4} maw={680}>
              {lead}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </>
  )
}
