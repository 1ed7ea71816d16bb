import { usePage } from '../api/queries.ts'
import { countOf, formatCount } from '../components/text/time-text.ts'
import { useVaults } from './vault.ts'
import classes from './waiting-badge.module.css'

const most = 99

/** The number of pending messages to the person, in all vaults. */
export function WaitingBadge() {
  const { data } = usePage('read-messages', { status: 'pending', limit: 1 })
  return <CountBadge count={data?.total ?? 0} one="unacknowledged message" />
}

/** The number of items to review in the vault. Duplicates aren't counted, because finding them compares all memories. */
export function ReviewBadge() {
  const { vault } = useVaults()
  const { data } = usePage(
    'list-review',
    { vaultId: vault?.id ?? '', kind: 'unsure', limit: 1 },
    { enabled: vault !== undefined },
  )
  const count = Object.values(data?.counts ?? {}).reduce((sum, each) => sum + each, 0)
  return <CountBadge count={count} one="item" what=" to review in this vault" />
}

function CountBadge({ count, one, what = '' }: { count: number; one: string; what?: string }) {
  if (count === 0) return null
  return (
    <span className={classes.badge} title={`${countOf(count, one)}${what}`}>
      {count > most ? `${most}+` : formatCount(count)}
    </span>
  )
}
