import { useRouter } from '@tanstack/react-router'
import { use, type MouseEvent, type ReactNode } from 'react'
import { isPlainClick } from '../../shell/plain-click.ts'
import { AddressContext } from '../../shell/vault-address.ts'
import { formatCount } from '../text/time-text.ts'
import { fragmentOf } from './entity-address.ts'
import classes from './entity-chip.module.css'

/** The name of an entity, as a link to its page. A list has dozens of them, so they aren't links of the router (see `useAddresses`). */
export function EntityChip({ name, count }: { name: string; count?: number }) {
  const router = useRouter()
  const address = use(AddressContext)
  const page = { to: '/entities', hash: fragmentOf(name) } as const
  const prepare = () => void router.preloadRoute(page)
  const follow = (event: MouseEvent) => {
    // A chip in a row doesn't open the row.
    event.stopPropagation()
    if (!isPlainClick(event)) return
    event.preventDefault()
    void router.navigate(page)
  }
  return (
    <a
      href={`${address}${page.to}#${page.hash}`}
      className={classes.chip}
      onMouseEnter={prepare}
      onFocus={prepare}
      onTouchStart={prepare}
      onClick={follow}
    >
      <bdi>{name}</bdi>
      {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
    </a>
  )
}

export const EntityChips = ({ children }: { children: ReactNode }) => <div className={classes.chips}>{children}</div>
