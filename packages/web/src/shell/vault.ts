import type { Vault } from '@holdfast/client/dashboard'
import { usePage } from '../api/queries.ts'
import { setPreferences, usePreferences } from './preferences.ts'

const maxVaults = 100

/** All vaults, and the one that the pages show: the vault chosen last in this browser, or the default vault. */
export function useVaults(): { vaults: readonly Vault[]; vault: Vault | undefined; total: number } {
  const { vaultId } = usePreferences()
  const { data } = usePage('list-vaults', { limit: maxVaults })
  const vaults = data?.vaults ?? []
  const vault = vaults.find((one) => one.id === vaultId) ?? vaults.find(({ isDefault }) => isDefault) ?? vaults[0]
  return { vaults, vault, total: data?.total ?? 0 }
}

export const chooseVault = (vaultId: string) => setPreferences({ vaultId })
