import type { Run } from '@holdfast/client/dashboard'
import { ActionIcon, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Undo2 } from 'lucide-react'
import { DayRows } from '../../components/lists/day-rows.tsx'
import listClasses from '../../components/lists/list-table.module.css'
import { TimeOfDay, useNow } from '../../components/text/moment.tsx'
import { countOf, formatCount, formatDuration } from '../../components/text/time-text.ts'
import { countWork, isActive, splitCalls, titleOfRun } from './run-work.ts'
import classes from './run-table.module.css'
import { StateBadge } from '../../components/feedback/state-badge.tsx'

interface Props {
  runs: readonly Run[]
  onOpen: (id: string) => void
  /** Called when another row becomes the one that shortcuts act on. */
  onFocus: (id: string) => void
  /** Undefined for people who may not change the vault. */
  onUndo: ((id: string) => void) | undefined
}

export function RunTable({ runs, onOpen, onFocus, onUndo }: Props) {
  return (
    <div className={listClasses.frame}>
      <Table className={listClasses.table} highlightOnHover aria-label="Runs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Run</Table.Th>
            <Table.Th scope="col" className={listClasses.medium}>
              Agent
            </Table.Th>
            <Table.Th scope="col" className={listClasses.medium}>
              Last activity
            </Table.Th>
            <Table.Th scope="col" className={`${listClasses.wide} ${classes.number}`}>
              Duration
            </Table.Th>
            <Table.Th scope="col" className={`${listClasses.medium} ${classes.number}`}>
              Calls
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <DayRows rows={runs} idOf={({ id }) => id} atOf={({ lastSeenAt }) => lastSeenAt} columns={5}>
            {(run) => (
              <RunRow
                run={run}
                onOpen={() => onOpen(run.id)}
                onFocus={() => onFocus(run.id)}
                onUndo={onUndo && (() => onUndo(run.id))}
              />
            )}
          </DayRows>
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface RowProps {
  run: Run
  onOpen: () => void
  onFocus: () => void
  onUndo: (() => void) | undefined
}

/** What a list says of a run: its state only while it hasn't ended, because most have, and errors only if there are any. */
function RunRow({ run, onOpen, onFocus, onUndo }: RowProps) {
  const title = titleOfRun(run)
  const written = countWork(run.work)
  return (
    <tr onClick={onOpen} onFocus={onFocus}>
      <td className={`${listClasses.main} ${classes.main}`}>
        <Link
          to={`/runs/${run.id}`}
          className={listClasses.title}
          data-row={run.id}
          onClick={(event) => event.stopPropagation()}
        >
          {title}
        </Link>
        <div className={`${listClasses.below} ${classes.facts}`}>
          {run.endedAt === null && <RunState run={run} />}
          <span className={listClasses.folded}>{run.agentId}</span>
          {written !== undefined && <span>{written}</span>}
          {run.label !== null && run.label !== run.agentId && <span>{run.label}</span>}
          <Doing run={run} />
          <span className={listClasses.folded}>
            <TimeOfDay at={run.lastSeenAt} />
          </span>
          {run.failures > 0 && <Failures count={run.failures} />}
        </div>
        {onUndo !== undefined && run.writes > 0 && <UndoButton title={title} onUndo={onUndo} />}
      </td>
      <td className={listClasses.medium}>
        <div className={listClasses.agent}>{run.agentId}</div>
      </td>
      <td className={`${listClasses.medium} ${listClasses.tight}`}>
        <TimeOfDay at={run.lastSeenAt} />
      </td>
      <td className={`${listClasses.wide} ${listClasses.tight} ${classes.number}`}>{formatDuration(lastedMs(run))}</td>
      <td className={`${listClasses.medium} ${classes.number}`} title={splitCalls(run)}>
        {formatCount(run.toolCalls)}
      </td>
    </tr>
  )
}

const UndoButton = ({ title, onUndo }: { title: string; onUndo: () => void }) => (
  <ActionIcon
    className={`${listClasses.medium} ${classes.undo}`}
    variant="subtle"
    color="gray"
    size={28}
    aria-label={`Undo the writes of ${title.slice(0, 80)}`}
    title="Undo this run’s writes"
    onClick={(event) => {
      event.stopPropagation()
      onUndo()
    }}
  >
    <Undo2 size={16} aria-hidden />
  </ActionIcon>
)

/** What an active run says that it is doing. Of others, this is only their last call. */
function Doing({ run }: { run: Run }) {
  const nowMs = useNow()
  if (!isActive(run, nowMs) || run.currentActivity === null || run.currentActivity === titleOfRun(run)) return null
  return <span className={classes.now}>{run.currentActivity}</span>
}

function Failures({ count }: { count: number }) {
  return (
    <span className={classes.failures}>
      <CircleAlert size={13} aria-hidden />
      {countOf(count, 'error')}
    </span>
  )
}

/** A run is active, idle or ended. */
export function RunState({ run }: { run: Pick<Run, 'endedAt' | 'lastSeenAt'> }) {
  const nowMs = useNow()
  if (run.endedAt !== null) return <StateBadge tone="off">Ended</StateBadge>
  if (isActive(run, nowMs)) return <StateBadge tone="good">Active</StateBadge>
  return <StateBadge tone="neutral">Idle</StateBadge>
}

/** Whether the agent saved a checkpoint. */
export function CheckpointState({ run: { checkpointAt } }: { run: Pick<Run, 'checkpointAt'> }) {
  if (checkpointAt === null) return <StateBadge tone="off">Not saved</StateBadge>
  return <StateBadge tone="good">Saved</StateBadge>
}

export const lastedMs = ({ startedAt, endedAt, lastSeenAt }: Pick<Run, 'startedAt' | 'endedAt' | 'lastSeenAt'>) =>
  Date.parse(endedAt ?? lastSeenAt) - Date.parse(startedAt)
