import { Alert, Loader, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useOne } from '../../api/queries.ts'

const askEveryMs = 2_000

interface Props {
  integrationId: string
  /** Calls before this time don't count. Omit it for a new agent. */
  since?: string
  children?: string
}

/** Waits for an agent's first call, and shows when it arrives. */
export function Listening({ integrationId, since = '', children }: Props) {
  const [hasCalled, setHasCalled] = useState(false)
  // Polls, because no event reports the handshake of an MCP client: it calls no operation.
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
          <Text>{children ?? 'This turns green when the agent calls.'}</Text>
        </Alert>
      )}
    </div>
  )
}
