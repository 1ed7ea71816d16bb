import type { Vault } from '@holdfast/client/dashboard'
import { Combobox, Skeleton, UnstyledButton, useCombobox, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Archive, Check, ChevronsUpDown, Search } from 'lucide-react'
import { useState } from 'react'
import { describeSharing } from './role.ts'
import { useOpenVault, useVaults } from './vault.ts'
import classes from './vault-switcher.module.css'

const letters = new Intl.Segmenter('en')

const initialOf = (name: string) => letters.segment(name).containing(0)?.segment.toUpperCase()

/** The option that opens the page of all vaults. */
const manage = 'manage'

export function VaultSwitcher() {
  const { vaults, vault, isMissing } = useVaults()
  const [query, setQuery] = useState('')
  const openVault = useOpenVault()
  const navigate = useNavigate()
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose() {
      combobox.resetSelectedOption()
      combobox.focusTarget()
      setQuery('')
    },
  })
  if (vault === undefined && !isMissing) return <Skeleton height={40} mx={4} width="auto" />
  const name = vault?.name ?? 'Choose a vault'
  const found = vaults.filter((one) => one.name.toLowerCase().includes(query.trim().toLowerCase()))
  const choose = (chosen: string) => {
    combobox.closeDropdown()
    if (chosen === manage) void navigate({ to: '/vaults' })
    else if (chosen !== vault?.id) openVault(chosen)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} width={280} position="bottom-start" shadow="md">
      <Combobox.Target targetType="button">
        <UnstyledButton className={classes.button} onClick={() => combobox.toggleDropdown()}>
          <span className={classes.initial} data-initial={initialOf(name)} aria-hidden />
          <VisuallyHidden>Vault</VisuallyHidden>
          <span className={classes.names}>
            <span className={classes.name}>{name}</span>
            {vault !== undefined && <Sharing vault={vault} />}
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value)
            combobox.selectFirstOption()
          }}
          leftSection={<Search size={15} aria-hidden />}
          placeholder="Find a vault"
          aria-label="Find a vault"
        />
        <Combobox.Options className={classes.options} aria-label="Vaults">
          {found.map((each) => (
            <Combobox.Option key={each.id} value={each.id} className={classes.option} active={each.id === vault?.id}>
              <span className={classes.names}>
                <span className={classes.optionName}>{each.name}</span>
                <Sharing vault={each} />
              </span>
              {each.id === vault?.id && <Check size={14} aria-label="current" />}
            </Combobox.Option>
          ))}
          <Combobox.Option value={manage} className={classes.manage}>
            <Archive size={14} aria-hidden />
            Manage vaults
          </Combobox.Option>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Who shares the vault, and as what. Nothing for the person's own. */
function Sharing({ vault }: { vault: Vault }) {
  const sharing = describeSharing(vault)
  return sharing === undefined ? null : <span className={classes.sharing}>{sharing}</span>
}
