import { Menu, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Archive, Check, ChevronsUpDown } from 'lucide-react'
import { chooseVault, useVaults } from './vault.ts'
import classes from './vault-switcher.module.css'

const letters = new Intl.Segmenter('en')

const initialOf = (name: string) => letters.segment(name).containing(0)?.segment.toUpperCase()

export function VaultSwitcher() {
  const { vaults, vault, total } = useVaults()
  const navigate = useNavigate()
  if (vault === undefined) return <Skeleton height={40} mx={4} width="auto" />
  return (
    <Menu width="target" position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <span className={classes.initial} data-initial={initialOf(vault.name)} aria-hidden />
          <VisuallyHidden>Vault</VisuallyHidden>
          <span className={classes.name}>{vault.name}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Vaults</Menu.Label>
        {vaults.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => chooseVault(id)}
            rightSection={id === vault.id ? <Check size={14} aria-label="current" /> : null}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Archive size={14} aria-hidden />} onClick={() => void navigate({ to: '/vaults' })}>
          {total > vaults.length ? `All ${total} vaults` : 'Manage vaults'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
