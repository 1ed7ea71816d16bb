import { Text } from '@mantine/core'
import { StateBadge } from '../feedback/state-badge.tsx'
import { Moment } from '../text/moment.tsx'
import { nameWriter, nameWriters, type Written } from './writers.ts'

interface Dated extends Written {
  changedBy: (NonNullable<Written['changedBy']> & { at: string }) | null
  updatedAt: string | null
}

interface ByLineProps {
  record: Dated
  size?: 'xs' | 'sm' | 'inherit'
  /** In a paragraph. */
  isInText?: boolean
}

/** Who shaped a text, and when it last changed: `By you, changed by codex, 2 hours ago`. */
export function ByLine({ record, size = 'xs', isInText = false }: ByLineProps) {
  const names = nameWriters(record)
  return (
    <Text
      span={isInText}
      {...(size === 'inherit' ? { inherit: true } : { size })}
      c="dimmed"
      style={{ overflowWrap: 'anywhere' }}
    >
      {names.startsWith('imported, by ') ? `I${names.slice(1)}` : `By ${names}`},{' '}
      <Moment at={record.changedBy?.at ?? record.updatedAt} />
    </Text>
  )
}

/** For lists: marks what a person wrote and an agent changed. */
export function ChangedMark({ record: { source, changedBy } }: { record: Written }) {
  if (source?.integrationId !== null || source.trust !== 'agent_authored') return null
  return (
    <StateBadge tone="warning">
      {changedBy === null || changedBy.integrationId === null
        ? 'Includes changes by agents'
        : `Changed by ${nameWriter(changedBy)}`}
    </StateBadge>
  )
}
