import type { Memory } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { StateBadge } from '../feedback/state-badge.tsx'
import { Moment } from '../text/moment.tsx'
import { nameOfAgent } from './agent-names.ts'

/** What a memory or task says about who shaped its text. */
export type Written = Pick<Memory, 'agentId' | 'source' | 'changedBy'>

/** The name of who changed the text last; undefined if its author did. */
function lastWriterName({ agentId, source, changedBy }: Written): string | undefined {
  if (changedBy === null) return undefined
  const isAuthor = changedBy.integrationId === source.integrationId && changedBy.agentId === agentId
  return isAuthor ? undefined : writerName(changedBy)
}

export const writerName = ({ integrationId, agentId }: { integrationId: string | null; agentId: string | null }) =>
  integrationId === null ? 'you' : (agentId ?? 'an agent')

/** Whether an agent had a hand in what a person wrote. */
const isMixed = ({ source }: Written) => source.integrationId === null && source.trust === 'agent_authored'

/** Such as “By you, changed by codex 5 minutes ago.” */
export function WriterLine({ record }: { record: Written }) {
  const { agentId, changedBy } = record
  const changer = lastWriterName(record)
  const name = nameOfAgent(agentId)
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      By {name === 'You' ? 'you' : name}
      {changer !== undefined && (
        <>
          , changed by {changer} <Moment at={changedBy?.at ?? null} />
        </>
      )}
      {changer === undefined && isMixed(record) && ', with changes by agents'}.
    </Text>
  )
}

/** For lists: marks what a person wrote and an agent changed. */
export function ChangedMark({ record }: { record: Written }) {
  if (!isMixed(record)) return null
  const changer = lastWriterName(record)
  return (
    <StateBadge tone="warning">
      {changer === undefined ? 'Includes changes by agents' : `Changed by ${changer}`}
    </StateBadge>
  )
}
