import { UnstyledButton } from '@mantine/core'
import { spotlight } from '@mantine/spotlight'
import { Link, useLocation } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { commandKey } from './shortcuts.ts'
import { LiveMark } from './live-mark.tsx'
import { isAt, navGroups, useNavigation } from './navigation.ts'
import classes from './rail.module.css'
import { UserMenu } from './user-menu.tsx'
import { VaultSwitcher } from './vault-switcher.tsx'
import { useVaults } from './vault.ts'

export function Rail() {
  const { vault } = useVaults()
  return (
    <div className={classes.rail}>
      <VaultSwitcher />
      <UnstyledButton className={classes.search} onClick={spotlight.open}>
        <Search size={15} aria-hidden />
        <span>Search or go to</span>
        <kbd>{commandKey} K</kbd>
      </UnstyledButton>
      {/* Links of a page without a vault lead to the current one, which may change while the page stays. */}
      <RailLinks key={vault?.id} />
      <div className={classes.mark}>
        <LiveMark />
      </div>
      <UserMenu />
    </div>
  )
}

/** On a low screen, the link may be below the visible part. */
function showCurrent(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest' })
}

/** `onFollow` is called when a link is followed, so that a drawer around it can close. */
export function RailLinks({ onFollow }: { onFollow?: () => void }) {
  const { pathname } = useLocation()
  const navigation = useNavigation()
  return (
    <nav className={classes.links} aria-label="Pages">
      {navGroups.map((group) => {
        const entries = navigation.filter((entry) => entry.group === group)
        if (entries.length === 0) return null
        return (
          <section key={group} aria-label={group}>
            <div className={classes.group} aria-hidden>
              {group}
            </div>
            {entries.map((entry) => (
              <Link
                key={entry.path}
                to={entry.path}
                className={classes.link}
                {...(isAt(pathname, entry) && { 'aria-current': 'page' as const, ref: showCurrent })}
                {...(onFollow !== undefined && { onClick: onFollow })}
              >
                <entry.icon size={17} strokeWidth={1.8} aria-hidden />
                {entry.title}
                {entry.badge !== undefined && <entry.badge />}
              </Link>
            ))}
          </section>
        )
      })}
    </nav>
  )
}
