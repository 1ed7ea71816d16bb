import { UnstyledButton } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { ChevronRight, Search } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { AccountMenu, VaultMenu } from './frame-buttons.tsx'
import { openPalette } from './later.ts'
import { commandKey } from './shortcuts.ts'
import { LiveMark } from './live-mark.tsx'
import { isAt, navGroups, useNavigation, type NavEntry } from './navigation.ts'
import classes from './rail.module.css'
import { useVaults } from './vault.ts'

export function Rail() {
  const { vault, isMissing } = useVaults()
  return (
    <aside className={classes.rail} aria-label="Sidebar">
      <VaultMenu />
      <UnstyledButton className={classes.search} onClick={openPalette}>
        <Search size={15} aria-hidden />
        <span>Search or jump to</span>
        <kbd>{commandKey} K</kbd>
      </UnstyledButton>
      {/* Links of a page without a vault of the person lead to the current one, which may change while the page stays. */}
      <RailLinks key={isMissing ? 'missing' : vault?.id} />
      <div className={classes.mark}>
        <LiveMark />
      </div>
      <AccountMenu />
    </aside>
  )
}

/** On a low screen, the link may be below the visible part. In the next frame: before, the browser would have to lay out the page twice. */
function showCurrent(link: HTMLElement | null | undefined): void {
  requestAnimationFrame(() => link?.scrollIntoView({ block: 'nearest' }))
}

/** The pages in view, and the others under More, which is open on those pages. */
function RailLinks() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const navigation = useNavigation()
  const router = useRouter()
  const nav = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  // The router has just scrolled the list to where it was on the former page, or on this page when it was last open.
  useLayoutEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged }) => {
        if (pathChanged) showCurrent(nav.current?.querySelector<HTMLElement>('[aria-current]'))
      }),
    [router],
  )
  const isBelow = navigation.some((entry) => entry.isUnderMore && isAt(pathname, entry))
  const isShown = isOpen || isBelow
  return (
    <nav ref={nav} className={classes.links} aria-label="Pages">
      {navGroups.map((group) => (
        <Group
          key={group}
          title={group}
          entries={navigation.filter((entry) => entry.group === group && !entry.isUnderMore)}
        />
      ))}
      <UnstyledButton className={classes.link} aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
        <ChevronRight size={17} strokeWidth={1.8} aria-hidden className={classes.chevron} />
        More
      </UnstyledButton>
      {isShown && (
        <div className={classes.more}>
          {navigation
            .filter((entry) => entry.isUnderMore)
            .map((entry) => (
              <PageLink key={entry.path} entry={entry} />
            ))}
        </div>
      )}
    </nav>
  )
}

/** All pages. `onFollow` is called when a link is followed, so that a drawer around it can close. */
export function AllLinks({ onFollow }: { onFollow: () => void }) {
  const navigation = useNavigation()
  return (
    <nav className={classes.links} aria-label="All pages">
      {navGroups.map((group) => (
        <Group
          key={group}
          title={group}
          entries={navigation.filter((entry) => entry.group === group)}
          onFollow={onFollow}
        />
      ))}
    </nav>
  )
}

interface GroupProps {
  title: string
  entries: readonly NavEntry[]
  onFollow?: () => void
}

function Group({ title, entries, onFollow }: GroupProps) {
  if (entries.length === 0) return null
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.group} aria-hidden>
        {title}
      </div>
      {entries.map((entry) => (
        <PageLink key={entry.path} entry={entry} onFollow={onFollow} />
      ))}
    </section>
  )
}

function PageLink({ entry, onFollow }: { entry: NavEntry; onFollow?: (() => void) | undefined }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <Link
      to={entry.path}
      className={classes.link}
      {...(isAt(pathname, entry) && { 'aria-current': 'page' as const, ref: showCurrent })}
      {...(onFollow !== undefined && { onClick: onFollow })}
    >
      <entry.icon size={17} strokeWidth={1.8} aria-hidden />
      {entry.title}
      {entry.badge !== undefined && <entry.badge />}
    </Link>
  )
}
