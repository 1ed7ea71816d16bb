import type { Task } from '@holdfast/client/dashboard'
import { Anchor, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import classes from './task-run.module.css'

/** The run that last moved or commented on the task, or created it. Renders nothing for a task without a run. */
export function RunOf({ task }: { task: Task }) {
  const last = lastRunOf(task)
  if (last === undefined) return null
  const { runId, agentId } = last
  return (
    <Tooltip label={`Last changed in run ${runId} of ${nameOfAgent(agentId)}`}>
      <span className={classes.run}>
        <Waypoints size={13} aria-label="Last changed in run" />
        <RunLink runId={runId} isInText />
      </span>
    </Tooltip>
  )
}

/** Links to the memories that a run stored. `isInText`: looks like the text that it is in. */
export function RunLink({ runId, isInText = false }: { runId: string; isInText?: boolean }) {
  return (
    <Anchor
      className={classes.name}
      {...(isInText && { inherit: true, c: 'inherit', underline: 'always' as const })}
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
