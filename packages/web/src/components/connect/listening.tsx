import { Alert, Loader, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useOne } from '../../api/queries.ts'

const askEveryMs = 2_000

interface Props {
  integrationId: string
  /** Calls before this moment do not count; left out for an agent that has just been made. */
  since?: string
  children?: string
}

/** Waits for an agent's first call and says when it has come. */
export function Listening({ integrationId, since = '', children }: Props) {
  const [hasCalled, setHasCalled] = useState(false)
  // A first word that calls nothing yet, as clients of MCP have it, is told to no page.
  const { data } = useOne(
    'list-integrations',
    { id: integrationId },
    { refetchInterval: hasCalled ? false : askEveryMs },
  )
  const lastUsedAt = data?.integration.lastUsedAt ?? null
  if (!hasCalled && lastUsedAt !== null && lastUsedAt >= since) setHasCalled(true)
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
