import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Clock,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import classes from './state-badge.module.css'

/** A state by icon and word, never by colour alone. */
type Tone = 'good' | 'bad' | 'warning' | 'off' | 'waiting' | 'neutral'

const icons: Record<Tone, LucideIcon> = {
  good: CircleCheck,
  bad: CircleAlert,
  warning: TriangleAlert,
  off: CircleSlash,
  waiting: Clock,
  neutral: CircleDashed,
}

export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  const Icon = icons[tone]
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={13} aria-hidden />
      {children}
    </span>
  )
}
