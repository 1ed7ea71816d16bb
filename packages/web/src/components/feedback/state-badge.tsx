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
import type { ReadSystemOutput } from '@holdfast/client/dashboard'

/** Shows a state by icon and word, never by color alone. */
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

/** Whether semantic search is on, and with which model. */
export function EmbeddingsState({ embeddings }: Pick<ReadSystemOutput, 'embeddings'>) {
  if (embeddings === null) return <StateBadge tone="off">Off: search uses words and links only</StateBadge>
  const { provider, failure } = embeddings
  if (failure === null) return <StateBadge tone="good">{provider}</StateBadge>
  return (
    <>
      <StateBadge tone="bad">{`${provider} isn’t responding`}</StateBadge> {failure.advice}
    </>
  )
}
