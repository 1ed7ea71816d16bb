import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../components/text/time-text.ts'
import { hasPage } from '../../shell/navigation.ts'
import classes from './home-page.module.css'
import type { Overview } from './overview.ts'

/** How many records the vault has, and what changed in the last 7 days. */
export function Counts({ counts: { memories, notes, tasks } }: Pick<Overview, 'counts'>) {
  return (
    <section aria-label="Vault contents" className={classes.counts}>
      <Count
        path="/memories"
        title="Memories"
        count={memories.total}
        added={memories.added}
        archived={memories.archived}
      />
      <Count path="/notes" title="Notes" count={notes.total} added={notes.added} />
      <Count path="/tasks" title="Open tasks" count={tasks.open} added={tasks.added} empty="None open" />
    </section>
  )
}

/** Phones have room for a sign instead of the first word. */
function Changes({ added, archived }: { added: number; archived: number }) {
  const removed = archived > 0 ? `${formatCount(archived)} archived` : ''
  return (
    <>
      {added > 0 && (
        <>
          <span className={classes.full}>{formatCount(added)} new</span>
          <span className={classes.brief}>+{formatCount(added)}</span>
        </>
      )}
      {added > 0 && removed !== '' && ', '}
      {removed} in 7 days
    </>
  )
}

interface CountProps {
  path: string
  title: string
  count: number
  added: number
  archived?: number
  /** Shown under a count of 0 that didn't change. */
  empty?: string
}

function Count({ path, title, count, added, archived = 0, empty = 'None yet' }: CountProps) {
  const unchanged = count === 0 ? empty : 'No changes in 7 days'
  const isChanged = added > 0 || archived > 0
  const inside = (
    <>
      <Text c="dimmed">{title}</Text>
      <div className={classes.number}>{formatCount(count)}</div>
      <Text size="sm" c="dimmed">
        {isChanged ? <Changes added={added} archived={archived} /> : unchanged}
      </Text>
    </>
  )
  return hasPage(path) ? (
    <Link to={path} className={classes.count}>
      {inside}
    </Link>
  ) : (
    <div className={classes.count}>{inside}</div>
  )
}
