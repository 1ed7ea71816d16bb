import { usePage } from '../api/queries.ts'
import { countOf, formatCount } from '../components/text/time-text.ts'
import classes from './waiting-badge.module.css'

const most = 99

/** The number of pending messages to the person, in all vaults. */
export function WaitingBadge() {
  const { data } = usePage('read-messages', { status: 'pending', limit: 1 })
  const count = data?.total ?? 0
  if (count === 0) return null
  return (
    <span className={classes.badge} title={countOf(count, 'unacknowledged message')}>
      {count > most ? `${most}+` : formatCount(count)}
    </span>
  )
}
