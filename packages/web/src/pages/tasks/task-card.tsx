import type { Task } from '@holdfast/client/dashboard'
import { Anchor, Box, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, OctagonX } from 'lucide-react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { Moment } from '../../components/text/moment.tsx'
import { normalPriority, PriorityMark } from '../../components/records/priority-mark.tsx'
import { ChangedMark } from '../../components/records/by-line.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { searchOfRow } from '../../components/lists/use-open-record.ts'
import classes from './task-board.module.css'
import { AssigneeIcon, nameBlocker } from './task-looks.tsx'
import { TaskMenu } from './task-menu.tsx'
import { useMay } from '../../shell/role.ts'

interface Props {
  task: Task
  isSelected: boolean
  isOpen: boolean
  onOpen: () => void
  onSelect: () => void
  onFocus: () => void
  /** Undefined when dragging ends. */
  onDrag: (task: Task | undefined) => void
}

export function TaskCard({ task, isSelected, isOpen, onOpen, onSelect, onFocus, onDrag }: Props) {
  const { taskId, title, blockedReason, blockedBy, priority, assignedAgentId, updatedAt, completedAt, archivedAt } =
    task
  const mayEdit = useMay('editor')
  return (
    <Box
      component="li"
      className={classes.card}
      data-selected={isSelected}
      data-open={isOpen}
      draggable={mayEdit}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', title)
        onDrag(task)
      }}
      onDragEnd={() => onDrag(undefined)}
      onClick={onOpen}
      onFocus={onFocus}
    >
      <div className={classes.top}>
        <Anchor
          renderRoot={(props) => (
            <Link {...props} to={`/tasks/${taskId}`} search={searchOfRow(isOpen)} resetScroll={false} />
          )}
          c="inherit"
          className={classes.title}
          data-row={taskId}
          {...(isOpen && { 'aria-current': 'true' as const })}
          draggable={false}
          onClick={(event) => event.stopPropagation()}
        >
          {title}
        </Anchor>
        {isSelected && <Check size={16} aria-label="Selected" className={classes.tick} />}
        {mayEdit && <TaskMenu task={task} onSelect={onSelect} />}
      </div>
      {blockedReason !== null && (
        <p className={classes.line} data-tone="bad">
          <OctagonX size={13} aria-label="Waiting for" />
          <span>
            {blockedBy !== undefined && `By ${nameBlocker(task)}: `}
            {blockedReason}
          </span>
        </p>
      )}
      <div className={classes.facts}>
        {priority !== normalPriority && <PriorityMark priority={priority} isIcon />}
        {assignedAgentId !== null && (
          <span className={classes.fact}>
            <AssigneeIcon agentId={assignedAgentId} size={13} label="Assigned to" />
            <span className={classes.name}>{nameOfAgent(assignedAgentId)}</span>
          </span>
        )}
        {archivedAt !== null && <StateBadge tone="off">Archived</StateBadge>}
        <ChangedMark record={task} />
        <span className={classes.when}>
          <VisuallyHidden>{completedAt === null ? 'Updated ' : 'Done '}</VisuallyHidden>
          <Moment at={completedAt ?? updatedAt} isBrief />
        </span>
      </div>
    </Box>
  )
}
