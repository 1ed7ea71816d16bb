import { ChevronDown, ChevronsDown, ChevronsUp, Equal, OctagonAlert, type LucideIcon } from 'lucide-react'
import classes from './priority-mark.module.css'

/** The icon and word for each priority of tasks and messages. */
const priorityLooks: readonly { value: number; title: string; icon: LucideIcon }[] = [
  { value: 5, title: 'Urgent', icon: OctagonAlert },
  { value: 4, title: 'High', icon: ChevronsUp },
  { value: 3, title: 'Normal', icon: Equal },
  { value: 2, title: 'Low', icon: ChevronDown },
  { value: 1, title: 'Lowest', icon: ChevronsDown },
]

/** Of most tasks and messages, so lists don't show it. */
export const normalPriority = 3

const lookOf = (priority: number) => priorityLooks.find(({ value }) => value === priority)

export const priorities = priorityLooks.map(({ value }) => value)

export const titleOfPriority = (priority: number) => lookOf(priority)?.title ?? `Priority ${priority}`

/** The options of a priority field, most urgent first. */
export const priorityOptions = priorityLooks.map(({ value, title }) => ({
  value: String(value),
  label: title,
}))

export function PriorityIcon({ priority }: { priority: number }) {
  const Icon = lookOf(priority)?.icon ?? Equal
  return <Icon size={15} strokeWidth={2} aria-hidden className={classes.priority} data-priority={priority} />
}

/** `isIcon`: where there is little room. */
export function PriorityMark({ priority, isIcon = false }: { priority: number; isIcon?: boolean }) {
  const title = titleOfPriority(priority)
  const name = `Priority: ${title}`
  return (
    <span
      className={classes.mark}
      data-priority={priority}
      {...(isIcon && { role: 'img', 'aria-label': name, title: name })}
    >
      <PriorityIcon priority={priority} />
      {!isIcon && title}
    </span>
  )
}
