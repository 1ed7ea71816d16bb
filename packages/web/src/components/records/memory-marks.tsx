import type { Memory, ListedMemory } from '@holdfast/client/dashboard'
import {
  Check,
  Compass,
  History,
  Lightbulb,
  ListTodo,
  Pencil,
  ShieldAlert,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import classes from './memory-marks.module.css'
import { useNow } from '../text/moment.tsx'
import { StateBadge } from '../feedback/state-badge.tsx'

export type MemoryType = Memory['memoryType']

/** The types of memories, with their titles and icons. */
const looks: Readonly<Record<MemoryType, { title: string; icon: LucideIcon }>> = {
  fact: { title: 'Fact', icon: Lightbulb },
  preference: { title: 'Preference', icon: Compass },
  constraint: { title: 'Constraint', icon: ShieldAlert },
  skill: { title: 'Skill', icon: Wrench },
  correction: { title: 'Correction', icon: Pencil },
  episodic: { title: 'Episode', icon: History },
  task: { title: 'Task', icon: ListTodo },
}

export const memoryTypes = Object.keys(looks) as readonly MemoryType[]

export const titleOfType = (type: string) => (type in looks ? looks[type as MemoryType].title : type)

export const typeOptions = memoryTypes.map((value) => ({ value, label: looks[value].title }))

export function MemoryTypeMark({ type }: { type: string }) {
  const Icon = type in looks ? looks[type as MemoryType].icon : Check
  return (
    <span className={classes.mark}>
      <Icon size={15} strokeWidth={1.8} aria-hidden />
      <span>{titleOfType(type)}</span>
    </span>
  )
}

type Stated = Pick<Memory | ListedMemory, 'status' | 'supersededById' | 'expiresAt'>

/** Why searches don't find a memory. Shows nothing if they do. */
export function MemoryState({ memory: { status, supersededById, expiresAt } }: { memory: Stated }) {
  const nowMs = useNow()
  if (status === 'archived') return <StateBadge tone="off">Archived</StateBadge>
  if (supersededById !== null) return <StateBadge tone="off">Superseded</StateBadge>
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) return <StateBadge tone="waiting">Expired</StateBadge>
  return null
}
