import type { Task } from '@holdfast/client/dashboard'
import { Anchor, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import classes from './task-run.module.css'

/** The run in which a task was last moved or commented on, or else made; nothing where it was never in one. */
export function RunOf({ task }: { task: Task }) {
  const last = lastRunOf(task)
  if (last === undefined) return null
  const { runId, agentId } = last
  return (
    <Tooltip label={`Last touched in the run ${runId} of ${nameOfAgent(agentId)}`}>
      <span className={classes.run}>
        <Waypoints size={13} aria-label="Last touched in the run" />
        <RunLink runId={runId} />
      </span>
    </Tooltip>
  )
}

/** What a run left behind. */
export function RunLink({ runId }: { runId: string }) {
  return (
    <Anchor
      className={classes.name}
      inherit
      c="inherit"
      underline="always"
      renderRoot={(props) => <Link {...props} to="/memories" search={{ run: runId, state: 'all' }} />}
      onClick={(event) => event.stopPropagation()}
    >
      {runId}
    </Anchor>
  )
}

function lastRunOf({ statusHistory, agentRunId, agentId }: Task) {
  const moved = statusHistory.findLast((change) => change.agentRunId !== undefined)
  if (moved?.agentRunId !== undefined) return { runId: moved.agentRunId, agentId: moved.agentId }
  return agentRunId === null ? undefined : { runId: agentRunId, agentId }
}
