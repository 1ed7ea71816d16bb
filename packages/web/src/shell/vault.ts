import type { Vault } from '@holdfast/client/dashboard'
import { usePage } from '../api/queries.ts'
import { setPreferences, usePreferences } from './preferences.ts'

const maxVaults = 100

/** The vault that is being looked at: the one chosen last in this browser, or else the default. */
export function useVaults(): { vaults: readonly Vault[]; vault: Vault | undefined; total: number } {
  const { vaultId } = usePreferences()
  const { data } = usePage('browse-vaults', { limit: maxVaults })
  const vaults = data?.vaults ?? []
  const vault = vaults.find((one) => one.id === vaultId) ?? vaults.find(({ isDefault }) => isDefault) ?? vaults[0]
  return { vaults, vault, total: data?.total ?? 0 }
}

export const chooseVault = (vaultId: string) => setPreferences({ vaultId })
