import type { Task } from '@holdfast/client/dashboard'
import { Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import classes from '../../components/lists/list-table.module.css'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { RowCheck, SelectAll, type Selection } from '../../components/lists/selection.tsx'
import { EntityChip } from '../../components/records/entity-chip.tsx'
import { PriorityMark } from '../../components/records/priority-mark.tsx'
import { nameBlocker, StatusMark } from './task-looks.tsx'
import { TaskMenu } from './task-menu.tsx'
import { RunOf } from './task-run.tsx'

interface Props {
  tasks: readonly Task[]
  selection: Selection
  onOpen: (id: string) => void
  /** Called when another row becomes the one that shortcuts act on. */
  onFocus: (id: string) => void
}

export function TaskTable({ tasks, selection, onOpen, onFocus }: Props) {
  const { ids, toggle } = selection
  return (
    <div className={classes.frame}>
      <Table className={classes.table} highlightOnHover aria-label="Tasks">
        <Table.Thead>
          <Table.Tr>
            <SelectAll selection={selection} />
            <Table.Th scope="col">Task</Table.Th>
            <Table.Th scope="col" className={classes.medium}>
              State
            </Table.Th>
            <Table.Th scope="col" className={classes.medium}>
              Priority
            </Table.Th>
            <Table.Th scope="col" className={classes.wide}>
              Assignee
            </Table.Th>
            <Table.Th scope="col" className={classes.wide}>
              Created
            </Table.Th>
            <Table.Th scope="col" className={classes.medium}>
              Updated
            </Table.Th>
            <Table.Th scope="col" aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tasks.map((task) => (
            <TaskRow
              key={task.taskId}
              task={task}
              isSelected={ids.includes(task.taskId)}
              onToggle={toggle}
              onOpen={onOpen}
              onFocus={onFocus}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface RowProps {
  task: Task
  isSelected: boolean
  onToggle: (id: string) => void
  onOpen: (id: string) => void
  onFocus: (id: string) => void
}

/** Renders again only when its task changes. */
const TaskRow = memo(function TaskRow({ task, isSelected, onToggle, onOpen, onFocus }: RowProps) {
  const { taskId, title, status, priority, assignedAgentId, createdAt, updatedAt } = task
  const assignee = assignedAgentId === null ? 'Unassigned' : nameOfAgent(assignedAgentId)
  return (
    <tr onClick={() => onOpen(taskId)} onFocus={() => onFocus(taskId)} data-selected={isSelected}>
      <RowCheck label={`Select ${title.slice(0, 80)}`} isChecked={isSelected} onToggle={() => onToggle(taskId)} />
      <td className={classes.main}>
        <Link
          to={`/tasks/${taskId}`}
          search
          resetScroll={false}
          className={classes.title}
          data-row={taskId}
          onClick={(event) => event.stopPropagation()}
        >
          {title}
        </Link>
        <Below task={task} assignee={assignee} />
      </td>
      <td className={`${classes.medium} ${classes.tight}`}>
        <StatusMark status={status} />
      </td>
      <td className={`${classes.medium} ${classes.tight}`}>
        <PriorityMark priority={priority} />
      </td>
      <td className={`${classes.wide} ${classes.agent}`}>{assignee}</td>
      <td className={`${classes.wide} ${classes.tight}`}>
        <Moment at={createdAt} />
      </td>
      <td className={`${classes.medium} ${classes.tight}`}>
        <Moment at={updatedAt} />
      </td>
      <td onClick={(event) => event.stopPropagation()}>
        <TaskMenu task={task} onSelect={() => onToggle(taskId)} />
      </td>
    </tr>
  )
})

const maxTags = 4

function Below({ task, assignee }: { task: Task; assignee: string }) {
  const { doneWhen, blockedReason, entities, status, priority, updatedAt, archivedAt } = task
  const more = entities.length - maxTags
  return (
    <>
      {blockedReason !== null && (
        <Text size="xs" c="var(--hf-danger)" lineClamp={1} mt={2}>
          Waiting for, by {nameBlocker(task)}: {blockedReason}
        </Text>
      )}
      {doneWhen !== null && (
        <Text size="xs" c="dimmed" lineClamp={1} mt={2}>
          Done when: {doneWhen}
        </Text>
      )}
      <div className={classes.below}>
        <span className={classes.folded}>
          <StatusMark status={status} />
          <PriorityMark priority={priority} />
          <span>{assignee}</span>
          <Moment at={updatedAt} />
        </span>
        {archivedAt !== null && <StateBadge tone="off">Archived</StateBadge>}
        <RunOf task={task} />
        {entities.slice(0, maxTags).map((entity) => (
          <EntityChip key={entity} name={entity} />
        ))}
        {more > 0 && <span>and {more} more</span>}
      </div>
    </>
  )
}
