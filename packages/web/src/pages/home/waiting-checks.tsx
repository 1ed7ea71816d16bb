import type { CheckSystemOutput } from '@holdfast/client/dashboard'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { RefObject } from 'react'
import { useOperation } from '../../api/queries.ts'
import { capitalize } from '../../components/text/first-words.ts'
import { FixBackup } from '../settings/back-up-now.tsx'
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

export function WaitingCheck({ check, list }: Props) {
  const name = capitalize(check.check)
  return (
    <li className={classes.item}>
      <TriangleAlert size={17} aria-hidden />
      <div className={classes.text}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {check.text}
        </Text>
      </div>
      {isBackup(check) ? (
        <div className={classes.act}>
          <FixBackup list={list} />
        </div>
      ) : (
        <Anchor aria-label={`View: ${name}`} renderRoot={(props) => <Link {...props} to="/settings/system" />}>
          View
        </Anchor>
      )}
    </li>
  )
}
