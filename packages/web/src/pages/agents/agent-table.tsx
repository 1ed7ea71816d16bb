import type { Integration } from '@holdfast/client/dashboard'
import { Anchor, Group, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Moment } from '../../components/text/moment.tsx'
import { nameOfPreset } from '../../components/connect/make-agent.ts'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { searchOfRow, type OpenRecord } from '../../components/lists/use-open-record.ts'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import classes from './agent-table.module.css'

interface Props {
  integrations: readonly Integration[]
  record: OpenRecord
}

export function AgentTable({ integrations, record }: Props) {
  const ids = integrations.map(({ id }) => id)
  const { setCurrent } = useRowFocus(ids, record)
  return (
    <RecordTable rowsOpen label="Agents" heads={['Agent', 'Access', 'Vaults', 'Keys', 'Last call']} numbers={['Keys']}>
      {integrations.map((integration) => (
        <Table.Tr
          key={integration.id}
          data-open={integration.id === record.id}
          onClick={() => record.open(integration.id)}
        >
          <Table.Td>
            <Anchor
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={`/agents/${integration.id}`}
                  search={searchOfRow(integration.id === record.id)}
                  resetScroll={false}
                />
              )}
              data-row={integration.id}
              aria-current={integration.id === record.id ? 'true' : undefined}
              onFocus={() => setCurrent(integration.id)}
              c="inherit"
              fw={550}
              onClick={(event) => event.stopPropagation()}
            >
              {integration.label}
            </Anchor>
            {isUnusual(integration) && (
              <span className={classes.state}>
                <AgentState integration={integration} />
              </span>
            )}
          </Table.Td>
          <Table.Td>{nameOfPreset(integration.preset)}</Table.Td>
          <Table.Td>{describeVaults(integration)}</Table.Td>
          <Table.Td data-number data-unit={integration.keyCount === 1 ? 'key' : 'keys'}>
            {formatCount(integration.keyCount)}
          </Table.Td>
          <Table.Td data-label={integration.lastUsedAt === null ? undefined : 'Last call'}>
            {integration.lastUsedAt === null ? (
              <Uncalled id={integration.id} />
            ) : (
              <Moment at={integration.lastUsedAt} />
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </RecordTable>
  )
}

/** What to do about an agent that never called. */
const Uncalled = ({ id }: { id: string }) => (
  <Group gap={8} display="inline-flex">
    <span>Never called</span>
    <Anchor
      inherit
      renderRoot={(props) => <Link {...props} to="/connect" search={{ agent: id }} />}
      onClick={(event) => event.stopPropagation()}
    >
      Connect
    </Anchor>
  </Group>
)

/** Most agents are active, so the list only marks the others. The last column says which ones never called. */
const isUnusual = ({ isActive, keyCount }: Integration) => !isActive || keyCount === 0

export function AgentState({ integration: { isActive, keyCount, lastUsedAt } }: { integration: Integration }) {
  if (!isActive) return <StateBadge tone="off">Paused</StateBadge>
  if (keyCount === 0) return <StateBadge tone="bad">No valid key</StateBadge>
  if (lastUsedAt === null) return <StateBadge tone="waiting">Never called</StateBadge>
  return <StateBadge tone="good">Active</StateBadge>
}

const describeVaults = ({ restrictToVault, vaults }: Integration) =>
  restrictToVault ? countOf(vaults.length, 'vault') : 'All vaults'
