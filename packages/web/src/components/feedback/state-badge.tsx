import { CircleAlert, CircleCheck, CircleSlash, Clock, TriangleAlert, type LucideIcon } from 'lucide-react'
import classes from './state-badge.module.css'
import type { ReadSystemOutput } from '@holdfast/client/dashboard'

/** Shows a state by word, never by color alone. A neutral one has no icon. */
type Tone = 'good' | 'bad' | 'warning' | 'off' | 'waiting' | 'neutral'

const icons: Record<Exclude<Tone, 'neutral'>, LucideIcon> = {
  good: CircleCheck,
  bad: CircleAlert,
  warning: TriangleAlert,
  off: CircleSlash,
  waiting: Clock,
}

export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  const Icon = tone === 'neutral' ? undefined : icons[tone]
  return (
    <span className={classes.badge} data-tone={tone}>
      {Icon !== undefined && <Icon size={13} aria-hidden />}
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
