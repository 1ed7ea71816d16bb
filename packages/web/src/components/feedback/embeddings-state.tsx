import type { SystemOutput } from '@holdfast/client/dashboard'
import { StateBadge } from './state-badge.tsx'

/** Whether search goes by meaning, and by which model. */
export function EmbeddingsState({ embeddings }: Pick<SystemOutput, 'embeddings'>) {
  if (embeddings === null) return <StateBadge tone="off">Off: by words and links alone</StateBadge>
  const { provider, failure } = embeddings
  if (failure === null) return <StateBadge tone="good">{provider}</StateBadge>
  return (
    <>
      <StateBadge tone="bad">{`${provider} does not answer`}</StateBadge> {failure.advice}
    </>
  )
}
