import type { CheckSystemOutput } from '@holdfast/client/dashboard'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { RefObject } from 'react'
import { useOperation } from '../../api/queries.ts'
import { capitalize } from '../../components/text/first-words.ts'
import { FixBackup } from '../settings/back-up-now.tsx'
import { describeCheck } from '../settings/check-text.ts'
import classes from './home-page.module.css'

type Check = NonNullable<CheckSystemOutput['checks']>[number]

const isBackup = ({ check }: Check) => check === 'backup'

/** The system checks that failed, and missing or old backups. Other warnings are only shown in Settings. No one but the owner gets any. */
export function useWaitingChecks() {
  const { data, isPending } = useOperation('check-system', {})
  const found = data?.checks?.filter(
    (check) => check.status === 'failed' || (check.status === 'warning' && isBackup(check)),
  )
  return { isPending, found: found ?? [] }
}

interface Props {
  check: Check
  /** Gets the focus when the problem is solved, and its button disappears. */
  list: RefObject<HTMLElement | null>
}

export function WaitingCheck({ check: found, list }: Props) {
  const name = capitalize(found.check)
  const page = isBackup(found) ? '/settings/backups' : '/settings/system'
  return (
    <li className={classes.item} data-warning>
      <TriangleAlert size={17} aria-hidden />
      <div className={classes.text}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {describeCheck(found.text)}
        </Text>
      </div>
      {isBackup(found) && found.status === 'warning' ? (
        <div className={classes.act}>
          <FixBackup list={list} />
        </div>
      ) : (
        // A new backup doesn't mend a damaged one, or the reason why the latest one failed.
        <Anchor aria-label={`View: ${name}`} renderRoot={(props) => <Link {...props} to={page} />}>
          View
        </Anchor>
      )}
    </li>
  )
}
