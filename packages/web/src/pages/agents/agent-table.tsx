import type { Integration } from '@holdfast/client/dashboard'
import { Anchor, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Moment } from '../../components/text/moment.tsx'
import { nameOfPreset } from '../../components/connect/make-agent.ts'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'

export function AgentTable({
  integrations,
  onOpen,
}: {
  integrations: readonly Integration[]
  onOpen: (id: string) => void
}) {
  return (
    <RecordTable rowsOpen label="Agents" heads={['Agent', 'Access', 'Vaults', 'Keys', 'Last call', 'State']}>
      {integrations.map((integration) => (
        <Table.Tr key={integration.id} onClick={() => onOpen(integration.id)}>
          <Table.Td>
            <Anchor
              renderRoot={(props) => <Link {...props} to={`/agents/${integration.id}`} search resetScroll={false} />}
              c="inherit"
              fw={550}
              onClick={(event) => event.stopPropagation()}
            >
              {integration.label}
            </Anchor>
          </Table.Td>
          <Table.Td data-label="Access">{nameOfPreset(integration.preset)}</Table.Td>
          <Table.Td data-label="Vaults">{describeVaults(integration)}</Table.Td>
          <Table.Td data-label="Keys">{integration.keyCount}</Table.Td>
          <Table.Td data-label="Last call">
            <Moment at={integration.lastUsedAt} />
          </Table.Td>
          <Table.Td data-label="State">
            <AgentState integration={integration} />
          </Table.Td>
        </Table.Tr>
      ))}
    </RecordTable>
  )
}

export function AgentState({ integration: { isActive, keyCount, lastUsedAt } }: { integration: Integration }) {
  if (!isActive) return <StateBadge tone="off">Paused</StateBadge>
  if (keyCount === 0) return <StateBadge tone="bad">No valid key</StateBadge>
  if (lastUsedAt === null) return <StateBadge tone="waiting">Never called</StateBadge>
  return <StateBadge tone="good">Active</StateBadge>
}

const describeVaults = ({ restrictToVault, vaults }: Integration) =>
  restrictToVault ? countOf(vaults.length, 'vault') : 'All'
