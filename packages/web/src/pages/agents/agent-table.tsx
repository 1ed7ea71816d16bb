import type { Integration } from '@holdfast/client/dashboard'
import { Anchor, Button, Table } from '@mantine/core'
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
  const { setCurrent } = useRowFocus(ids, { opened: record })
  const columns = {
    vaults: integrations.some(isLimited),
    connect: integrations.some(isUncalled),
  }
  const heads = ['Agent', 'Access', columns.vaults && 'Vaults', 'Keys', 'Last call']
  return (
    <RecordTable
      rowsOpen
      label="Agents"
      heads={heads.filter((head) => head !== false)}
      numbers={['Keys']}
      {...(columns.connect && { menuHead: 'Connect' })}
    >
      {integrations.map((integration) => (
        <AgentRow
          key={integration.id}
          integration={integration}
          columns={columns}
          record={record}
          onFocus={() => setCurrent(integration.id)}
        />
      ))}
    </RecordTable>
  )
}

interface RowProps {
  integration: Integration
  /** Which columns there are besides those of every list. */
  columns: Readonly<Record<'vaults' | 'connect', boolean>>
  record: OpenRecord
  onFocus: () => void
}

function AgentRow({ integration, columns, record, onFocus }: RowProps) {
  const { id, preset, keyCount, lastUsedAt } = integration
  return (
    <Table.Tr data-open={id === record.id} onClick={() => record.open(id)}>
      <Table.Td>
        <AgentLink integration={integration} isOpen={id === record.id} onFocus={onFocus} />
        {isUnusual(integration) && (
          <span className={classes.state}>
            <AgentState integration={integration} />
          </span>
        )}
      </Table.Td>
      <Table.Td>{nameOfPreset(preset)}</Table.Td>
      {columns.vaults && (
        <Table.Td data-wide={!isLimited(integration) || undefined}>{describeVaults(integration)}</Table.Td>
      )}
      <Table.Td data-number data-unit="keys" data-wide={keyCount === 1 || undefined}>
        {formatCount(keyCount)}
      </Table.Td>
      <Table.Td data-label={isUncalled(integration) ? undefined : 'Last call'}>
        <Moment at={lastUsedAt} never="Never called" />
      </Table.Td>
      {columns.connect && (
        <Table.Td data-button>{isUncalled(integration) && <ConnectButton integration={integration} />}</Table.Td>
      )}
    </Table.Tr>
  )
}

interface LinkProps {
  integration: Integration
  isOpen: boolean
  onFocus: () => void
}

const AgentLink = ({ integration: { id, label }, isOpen, onFocus }: LinkProps) => (
  <Anchor
    renderRoot={(props) => <Link {...props} to={`/agents/${id}`} search={searchOfRow(isOpen)} resetScroll={false} />}
    data-row={id}
    aria-current={isOpen ? 'true' : undefined}
    onFocus={onFocus}
    c="inherit"
    fw={550}
    onClick={(event) => event.stopPropagation()}
  >
    {label}
  </Anchor>
)

/** What to do about an agent that never called. */
const ConnectButton = ({ integration: { id, label } }: { integration: Integration }) => (
  <Button
    size="compact-sm"
    variant="default"
    aria-label={`Connect ${label}`}
    renderRoot={(props) => <Link {...props} to="/connect" search={{ agent: id }} />}
    onClick={(event) => event.stopPropagation()}
  >
    Connect
  </Button>
)

const isUncalled = ({ lastUsedAt }: Integration) => lastUsedAt === null

/** Most agents have all vaults. The list has a column only if some don’t, and phones only mention those. */
const isLimited = ({ restrictToVault }: Integration) => restrictToVault

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
