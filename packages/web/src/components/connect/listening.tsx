import { Alert, Loader, Text } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useOne } from '../../api/queries.ts'

const askEveryMs = 2_000

export interface FirstCall {
  hasCalled: boolean
  /** The agent's name. */
  label: string | undefined
}

/** Waits for an agent's first call. `since`: calls before this time don't count; omit it for a new agent. */
export function useFirstCall(integrationId: string, since = ''): FirstCall {
  const [hasCalled, setHasCalled] = useState(false)
  // Polls, because no event reports the handshake of an MCP client: it calls no operation.
  const { data } = useOne(
    'list-integrations',
    { id: integrationId },
    { enabled: integrationId !== '', refetchInterval: hasCalled ? false : askEveryMs },
  )
  const lastUsedAt = data?.integration.lastUsedAt ?? null
  if (!hasCalled && lastUsedAt !== null && lastUsedAt >= since) setHasCalled(true)
  return { hasCalled, label: data?.integration.label }
}

/** Shows whether the agent has called. */
export function Listening({ hasCalled, label }: FirstCall) {
  return (
    <div role="status">
      {hasCalled ? (
        <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="Connected">
          {label} has made its first call.
        </Alert>
      ) : (
        <Waiting title="Listening for the first call…">This turns green when the agent calls.</Waiting>
      )}
    </div>
  )
}

export const Waiting = ({ title, children }: { title: string; children: string }) => (
  <Alert color="gray" variant="light" icon={<Loader size={16} aria-hidden />} title={title}>
    <Text>{children}</Text>
  </Alert>
)
