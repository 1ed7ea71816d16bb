import type { Task } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import type { RowLooks } from '../../components/lists/record-rows.tsx'
import { RowTags } from '../../components/lists/row-tags.tsx'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { ChangedMark } from '../../components/records/by-line.tsx'
import { normalPriority, PriorityMark } from '../../components/records/priority-mark.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StatusIcon, StatusMark, titleOfStatus } from './task-looks.tsx'
import { TaskMenu } from './task-menu.tsx'
import { RunOf } from './task-run.tsx'

function Assignee({ task: { assignedAgentId } }: { task: Task }) {
  if (assignedAgentId !== null) return nameOfAgent(assignedAgentId)
  return (
    <Text span inherit c="dimmed">
      Unassigned
    </Text>
  )
}

/** How the list shows tasks. */
export const taskLooks: RowLooks<Task> = {
  list: 'tasks',
  label: 'Tasks',
  idOf: ({ taskId }) => taskId,
  titleOf: ({ title }) => title,
  columns: [
    { name: 'state', title: 'State', cell: ({ status }) => <StatusMark status={status} /> },
    {
      name: 'priority',
      title: 'Priority',
      room: 'medium',
      sorts: ['urgent'],
      cell: ({ priority }) => <PriorityMark priority={priority} />,
    },
    { name: 'assignee', title: 'Assignee', room: 'wide', cell: (task) => <Assignee task={task} /> },
    { name: 'run', title: 'Run', room: 'wide', isExtra: true, cell: (task) => <RunOf task={task} /> },
    {
      name: 'created',
      title: 'Created',
      room: 'wide',
      isExtra: true,
      sorts: ['newest'],
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      name: 'updated',
      title: 'Updated',
      room: 'apart',
      sorts: ['updated'],
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
  ],
  lead: ({ status }) => <StatusIcon status={status} />,
  marks: (task) => (
    <>
      {task.archivedAt !== null && <StateBadge tone="off">Archived</StateBadge>}
      <ChangedMark record={task} />
      <RowTags names={task.entities} />
    </>
  ),
  folded: (task) => (
    <>
      <span>{titleOfStatus(task.status)}</span>
      {task.priority !== normalPriority && <PriorityMark priority={task.priority} />}
      {task.assignedAgentId !== null && <span>{nameOfAgent(task.assignedAgentId)}</span>}
      <Moment at={task.updatedAt} isBrief />
    </>
  ),
  end: (task, onToggle) => <TaskMenu task={task} onSelect={onToggle} />,
}
