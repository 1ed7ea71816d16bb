import type { Vault } from '@holdfast/client/dashboard'
import { ActionIcon, Anchor, Group, Menu, Table, Text } from '@mantine/core'
import { Ellipsis, Eye, Pencil, SlidersHorizontal, Star, Trash2, Users } from 'lucide-react'
import { useAction } from '../../api/queries.ts'
import { Moment } from '../../components/text/moment.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { useOpenVault, useVaults } from '../../shell/vault.ts'
import { describeSharing, mayManage } from '../../shell/role.ts'

interface Props {
  vaults: readonly Vault[]
  /** How many vaults are the person's own. */
  ownVaults: number
  onEdit: (vault: Vault) => void
  onMembers: (vault: Vault) => void
  onSettings: (vault: Vault) => void
  onDelete: (vault: Vault) => void
}

export function VaultTable({ vaults, ...actions }: Props) {
  const { vault: current } = useVaults()
  const openVault = useOpenVault()
  return (
    <RecordTable
      label="Vaults"
      menuHead="Actions"
      heads={['Vault', 'Memories', 'Notes', 'Open tasks', 'Last write']}
      numbers={['Memories', 'Notes', 'Open tasks']}
    >
      {vaults.map((vault) => (
        <Table.Tr key={vault.id}>
          <Table.Td>
            <div>
              <Group gap="4px 8px">
                <Anchor
                  component="button"
                  type="button"
                  c="inherit"
                  fw={550}
                  ta="start"
                  onClick={() => openVault(vault.id)}
                >
                  {vault.name}
                </Anchor>
                {vault.id === current?.id && <StateBadge tone="neutral">Current</StateBadge>}
                {vault.isDefault && <StateBadge tone="neutral">Default</StateBadge>}
              </Group>
              {vault.role !== undefined && (
                <Text size="sm" c="dimmed">
                  {describeSharing(vault)}
                </Text>
              )}
              {vault.memberCount !== undefined && vault.memberCount > 0 && (
                <Text size="sm" c="dimmed">
                  Shared with {countOf(vault.memberCount, 'person', 'people')}
                </Text>
              )}
              {vault.description !== null && (
                <Text size="sm" c="dimmed">
                  {vault.description}
                </Text>
              )}
            </div>
          </Table.Td>
          {countsOf(vault).map(([unit, count]) => (
            // On phones, the last column says it of an empty vault.
            <Table.Td key={unit} data-number data-unit={unit} data-wide={vault.lastWriteAt == null || undefined}>
              {formatCount(count)}
            </Table.Td>
          ))}
          <Table.Td {...(vault.lastWriteAt != null && { 'data-label': 'Last\u00a0write' })}>
            <Moment at={vault.lastWriteAt ?? null} never="Nothing stored yet" />
          </Table.Td>
          <Table.Td data-menu>
            <VaultMenu vault={vault} {...actions} />
          </Table.Td>
        </Table.Tr>
      ))}
    </RecordTable>
  )
}

const countsOf = ({ memoryCount, noteCount, openTaskCount }: Vault) =>
  [
    ['memories', memoryCount],
    ['notes', noteCount],
    ['open tasks', openTaskCount],
  ] as const

interface MenuProps extends Omit<Props, 'vaults'> {
  vault: Vault
}

function VaultMenu({ vault, ownVaults, onEdit, onMembers, onSettings, onDelete }: MenuProps) {
  const isOwn = vault.role === undefined
  const isOnly = ownVaults === 1
  const update = useAction('update-vault', { refreshes: ['list-vaults'], onDone: () => toast('Saved') })
  const openVault = useOpenVault()
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${vault.name}`}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Eye size={15} aria-hidden />} onClick={() => openVault(vault.id)}>
          Open vault
        </Menu.Item>
        {mayManage(vault) && (
          <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => onEdit(vault)}>
            Edit
          </Menu.Item>
        )}
        {mayManage(vault) && (
          <Menu.Item leftSection={<SlidersHorizontal size={15} aria-hidden />} onClick={() => onSettings(vault)}>
            Settings
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Users size={15} aria-hidden />} onClick={() => onMembers(vault)}>
          {mayManage(vault) ? 'Share' : 'Members'}
        </Menu.Item>
        {isOwn && !vault.isDefault && (
          <Menu.Item
            leftSection={<Star size={15} aria-hidden />}
            onClick={() => update.mutate({ id: vault.id, isDefault: true }, { onError: (error) => toastError(error) })}
          >
            Set as default
          </Menu.Item>
        )}
        {isOwn && (
          <>
            <Menu.Divider />
            <Menu.Item
              c="var(--hf-danger)"
              leftSection={<Trash2 size={15} aria-hidden />}
              disabled={isOnly}
              onClick={() => onDelete(vault)}
            >
              {isOnly ? 'You can’t delete the only vault' : 'Delete permanently'}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
