import { Alert, Loader, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useOne } from '../api/queries.ts'

interface Props {
  integrationId: string
  /** Calls before this moment do not count; left out for an agent that has just been made. */
  since?: string
  children?: string
}

/** Waits for an agent's first call and says when it has come. */
export function Listening({ integrationId, since = '', children }: Props) {
  const { data } = useOne('list-integrations', { id: integrationId })
  const lastUsedAt = data?.integration.lastUsedAt ?? null
  const hasCalled = lastUsedAt !== null && lastUsedAt >= since
  return (
    <div role="status">
      {hasCalled ? (
        <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="Connected">
          {data?.integration.label} has made its first call.
        </Alert>
      ) : (
        <Alert
          color="gray"
          variant="light"
          icon={<Loader size={16} aria-hidden />}
          title="Listening for the first call…"
        >
          <Text>{children ?? 'This turns green by itself once the agent has called.'}</Text>
        </Alert>
      )}
    </div>
  )
}
