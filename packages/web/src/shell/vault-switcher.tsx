import type { Vault } from '@holdfast/client/dashboard'
import { Combobox, useCombobox } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Archive, Check, Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { VaultButton } from './frame-buttons.tsx'
import frameClasses from './frame-buttons.module.css'
import { describeSharing } from './role.ts'
import { useOpenVault, useVaults } from './vault.ts'
import classes from './vault-switcher.module.css'

/** The option that opens the page of all vaults. */
const manage = 'manage'

/** `startsOpen`: a person asked for it before it had loaded. */
export function VaultSwitcher({ startsOpen }: { startsOpen: boolean }) {
  const { vaults, vault } = useVaults()
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
  const open = useEffectEvent(() => combobox.openDropdown())
  useEffect(() => {
    if (startsOpen) open()
  }, [startsOpen])
  const found = vaults.filter((one) => one.name.toLowerCase().includes(query.trim().toLowerCase()))
  const choose = (chosen: string) => {
    combobox.closeDropdown()
    if (chosen === manage) void navigate({ to: '/vaults' })
    else if (chosen !== vault?.id) openVault(chosen)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} width={280} position="bottom-start" shadow="md">
      <Combobox.Target targetType="button">
        <VaultButton onClick={() => combobox.toggleDropdown()} />
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
              <span className={frameClasses.names}>
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
  if (sharing === undefined) return null
  return (
    <span className={frameClasses.sharing} data-sharing>
      {sharing}
    </span>
  )
}
