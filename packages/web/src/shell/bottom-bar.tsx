import { Drawer, Group, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import classes from './bottom-bar.module.css'
import { isAt, navigation } from './navigation.ts'
import { AllLinks } from './rail.tsx'
import { UserMenu } from './user-menu.tsx'

const maxEntries = 4

/** Replaces the rail on small screens: four pages, and all pages under More. */
export function BottomBar() {
  const { pathname } = useLocation()
  const [isOpen, { open, close }] = useDisclosure()
  const entries = navigation.filter(({ inBottomBar }) => inBottomBar).slice(0, maxEntries)
  return (
    <>
      <nav className={classes.bar} aria-label="Main pages">
        {entries.map((entry) => (
          <Link
            key={entry.path}
            to={entry.path}
            className={classes.entry}
            {...(isAt(pathname, entry) && { 'aria-current': 'page' as const })}
          >
            <entry.icon size={20} strokeWidth={1.8} aria-hidden />
            <span>{entry.title}</span>
            {entry.badge !== undefined && <entry.badge />}
          </Link>
        ))}
        <UnstyledButton className={classes.entry} onClick={open} aria-expanded={isOpen}>
          <Ellipsis size={20} strokeWidth={1.8} aria-hidden />
          <span>More</span>
        </UnstyledButton>
      </nav>
      <Drawer opened={isOpen} onClose={close} position="bottom" size="85%" title="All pages" radius="lg">
        <AllLinks onFollow={close} />
        <Group mt="md">
          <UserMenu />
        </Group>
      </Drawer>
    </>
  )
}
