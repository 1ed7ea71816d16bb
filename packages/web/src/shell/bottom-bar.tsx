import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import classes from './bottom-bar.module.css'
import { askForParts, useParts } from './later.ts'
import { isAt, navigation } from './navigation.ts'

const maxEntries = 4

/** Replaces the rail on small screens: four pages, and all pages under More. */
export function BottomBar() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const parts = useParts()
  const [isOpen, { open, close }] = useDisclosure()
  const openPages = () => {
    void askForParts()
    open()
  }
  const isUnderMore = navigation.some((entry) => !entry.inBottomBar && isAt(pathname, entry))
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
        <UnstyledButton
          className={classes.entry}
          onClick={openPages}
          aria-expanded={isOpen}
          {...(isUnderMore && { 'aria-current': 'true' as const })}
        >
          <Ellipsis size={20} strokeWidth={1.8} aria-hidden />
          <span>More</span>
        </UnstyledButton>
      </nav>
      {parts !== undefined && <parts.PagesDrawer isOpen={isOpen} onClose={close} />}
    </>
  )
}
