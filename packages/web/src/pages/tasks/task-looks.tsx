import type { Task } from '@holdfast/client/dashboard'
import { Bot, Circle, CircleCheck, CircleDashed, CirclePlay, OctagonX, UserRound, type LucideIcon } from 'lucide-react'
import { personBehind } from '../../components/records/people.ts'
import { nameWriter } from '../../components/records/writers.ts'
import classes from './task-looks.module.css'

/** Every state has an icon and a title. */

/** Who wrote what the task waits for, which isn't part of its text: anyone who works on the task can. */
export const nameBlocker = ({ blockedBy }: { blockedBy?: Task['blockedBy'] | undefined }): string =>
  blockedBy === undefined ? 'unknown' : nameWriter(blockedBy)

export type TaskStatus = Task['status']

const statusLooks: Readonly<Record<TaskStatus, { title: string; icon: LucideIcon }>> = {
  backlog: { title: 'Backlog', icon: CircleDashed },
  todo: { title: 'To do', icon: Circle },
  in_progress: { title: 'In progress', icon: CirclePlay },
  blocked: { title: 'Blocked', icon: OctagonX },
  done: { title: 'Done', icon: CircleCheck },
}

/** In board order. */
export const statuses = Object.keys(statusLooks) as readonly TaskStatus[]

export const titleOfStatus = (status: TaskStatus) => statusLooks[status].title

export const statusOptions = statuses.map((value) => ({ value, label: statusLooks[value].title }))

export function StatusIcon({ status }: { status: TaskStatus }) {
  const Icon = statusLooks[status].icon
  return <Icon size={15} strokeWidth={2} aria-hidden className={classes.status} data-status={status} />
}

export function StatusMark({ status }: { status: TaskStatus }) {
  return (
    <span className={classes.mark}>
      <StatusIcon status={status} />
      {titleOfStatus(status)}
    </span>
  )
}

interface AssigneeProps {
  /** Null if it isn't assigned. */
  agentId: string | null
  size: number
  /** What it says to those who don't see it. */
  label?: string
}

/** Tells agents from people. */
export function AssigneeIcon({ agentId, size, label }: AssigneeProps) {
  const Icon = agentId === null || personBehind(agentId) !== undefined ? UserRound : Bot
  return <Icon size={size} {...(label === undefined ? { 'aria-hidden': true } : { 'aria-label': label })} />
}
