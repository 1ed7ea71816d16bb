import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount } from '../text/time-text.ts'
import { fragmentOf } from './entity-address.ts'
import classes from './entity-chip.module.css'

/** The name of an entity, as a link to its page. */
export function EntityChip({ name, count }: { name: string; count?: number }) {
  return (
    // A chip in a row doesn't open the row.
    <Link to="/entities" hash={fragmentOf(name)} className={classes.chip} onClick={(event) => event.stopPropagation()}>
      <bdi>{name}</bdi>
      {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
    </Link>
  )
}

export const EntityChips = ({ children }: { children: ReactNode }) => <div className={classes.chips}>{children}</div>
