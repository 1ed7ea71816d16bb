import type { Integration, Vault } from '@holdfast/client/dashboard'
import { ActionIcon, Alert, Anchor, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { Cable, Ellipsis, Pause, Pencil, Play, Trash2, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAction, useOne } from '../../api/queries.ts'
import { describeAccess } from '../../components/connect/agent-access.ts'
import { AgentForm } from '../../components/connect/agent-form.tsx'
import { callWithProof } from '../../components/forms/call-with-proof.tsx'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { RecordTitle } from '../../components/lists/record-panel.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { toast, toastError } from '../../shell/toasts.tsx'
import { useVaults } from '../../shell/vault.ts'
import { AgentState } from './agent-table.tsx'
import { KeyList } from './key-list.tsx'

export function AgentDetail({ integrationId, onGone }: { integrationId: string; onGone: () => void }) {
  const integration = useOne('list-integrations', { id: integrationId })
  return (
    <Loaded query={integration} skeleton={<SkeletonRecord />}>
      {({ integration: found }) => <Detail integration={found} onGone={onGone} />}
    </Loaded>
  )
}

function Detail({ integration, onGone }: { integration: Integration; onGone: () => void }) {
  const known = useVaults()
  const vaults = known.own
  const { label, agentId } = integration
  const shownVault = vaultToShow(integration, known)
  const nameOf = (id: string | null) => vaults.find((vault) => vault.id === id)?.name
  const facts: (readonly [string, ReactNode])[] = [
    ['State', <AgentState key="state" integration={integration} />],
    ['Agent id', agentId === label ? null : agentId],
    ['Acts as', isOnlyItself(integration) ? null : describeNames(integration)],
    ...describeAccess(integration, vaults),
    ['Default vault', nameOf(integration.primaryVaultId) ?? 'None'],
    ['What it wrote', shownVault && <Written key="written" name={agentId ?? label} vault={shownVault} />],
    ['Last call', <Moment key="used" at={integration.lastUsedAt} never="Never" />],
    ['Created', <Moment key="created" at={integration.createdAt} />],
  ]
  return (
    <Stack gap="lg">
      <div>
        <RecordTitle>{label}</RecordTitle>
        <Actions integration={integration} onGone={onGone} />
      </div>
      {integration.isDamaged && (
        <Alert color="red" icon={<TriangleAlert size={16} aria-hidden />}>
          The stored names and settings of this agent are damaged. It keeps its keys and vaults, but can only act under
          this name and can’t change what others wrote. Edit it to give it a name and its settings again.
        </Alert>
      )}
      <FactList facts={facts.filter(([, value]) => value !== null && value !== undefined)} />
      <KeyList integrationId={integration.id} />
    </Stack>
  )
}

/** What an agent with an id may do unless someone changes it. */
const isOnlyItself = ({ agentId, agentIds, actsAs }: Integration): boolean =>
  agentId !== null && agentIds === 'pinned' && actsAs.length === 0

/** Under which names its calls may read and write. */
function describeNames({ agentIds, actsAs }: Integration): string {
  const others = actsAs.length === 0 ? '' : `, and ${actsAs.join(', ')}`
  return agentIds === 'pinned' ? `Only itself${others}` : `Any agent that isn’t limited to itself${others}`
}

/** Where to look for what it wrote: in the current vault if the agent may use it. Undefined if it can't write, or never called. */
function vaultToShow(
  { lastUsedAt, preset, restrictToVault, vaults: granted }: Integration,
  { own, vault: current }: ReturnType<typeof useVaults>,
): Vault | undefined {
  const onlyReads = [preset, ...granted.map((vault) => vault.preset ?? preset)].every((each) => each === 'read_only')
  if (lastUsedAt === null || onlyReads) return undefined
  const reachable = own.filter(({ id }) => !restrictToVault || granted.some(({ vaultId }) => vaultId === id))
  return reachable.find(({ id }) => id === current?.id) ?? reachable[0]
}

/** Leads to what it wrote under its own name. */
function Written({ name, vault }: { name: string; vault: Vault }) {
  const search = { agent: name, vaultId: vault.id }
  return (
    <>
      <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/memories" search={search} />}>
        Memories
      </Anchor>{' '}
      and{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/runs" search={search} />}>
        runs
      </Anchor>{' '}
      in {vault.name}
    </>
  )
}

function Actions({ integration, onGone }: { integration: Integration; onGone: () => void }) {
  const [isEditing, editing] = useDisclosure()
  const { id, label, isActive } = integration
  const refreshes = ['list-integrations', 'list-keys'] as const
  const update = useAction('update-integration', { refreshes, send: callWithProof })
  const remove = useAction('delete-integration', {
    refreshes,
    onDone() {
      toast(`${label} deleted`)
      onGone()
    },
  })
  const toggle = () => update.mutate({ id, isActive: !isActive }, { onError: (error) => toastError(error) })
  const askToRemove = () =>
    confirmStep({
      title: `Delete ${label}?`,
      body: 'Its keys stop working immediately. What it wrote is kept.',
      confirmLabel: 'Delete agent',
      onConfirm: () => remove.mutate({ id }, { onError: (error) => toastError(error) }),
    })
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<Cable size={14} aria-hidden />}
        renderRoot={(props) => <Link {...props} to="/connect" search={{ agent: id }} />}
      >
        Connect
      </Button>
      <Button size="xs" variant="default" leftSection={<Pencil size={14} aria-hidden />} onClick={editing.open}>
        Edit
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={isActive ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        loading={update.isPending}
        onClick={toggle}
      >
        {isActive ? 'Pause' : 'Resume'}
      </Button>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${label}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item c="var(--hf-danger)" leftSection={<Trash2 size={15} aria-hidden />} onClick={askToRemove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {!isActive && <Text size="sm">Paused: its keys don’t work until you resume it.</Text>}
      <AgentForm isOpen={isEditing} onClose={editing.close} onCreated={() => {}} integration={integration} />
    </Group>
  )
}
