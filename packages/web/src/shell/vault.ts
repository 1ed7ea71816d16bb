import type { Vault } from '@holdfast/client/dashboard'
import type { QueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWholeList, wholeListOf, type PageOf } from '../api/queries.ts'
import { preferences, setPreferences, usePreference } from './preferences.ts'
import { pageOfKind } from './vault-address.ts'

interface Vaults {
  /** All vaults of the person, and those that others share with them. */
  vaults: readonly Vault[]
  /** Only the vaults of the person: their agents and webhooks can use no others. */
  own: readonly Vault[]
  /** The vault that the page shows. Undefined while vaults are loading, or if the address names one that isn't among them. */
  vault: Vault | undefined
  /** The address names a vault that doesn't exist, or that the person can't see. */
  isMissing: boolean
}

export function useVaults(): Vaults {
  const named = useNamedVault()
  const vaultId = usePreference('vaultId')
  const { data: pages } = useWholeList('list-vaults', {})
  const vaults = vaultsIn(pages)
  const vault = named === undefined ? findCurrent(vaults, vaultId) : vaults.find(({ id }) => id === named)
  const own = vaults.filter(({ role }) => role === undefined)
  return { vaults, own, vault, isMissing: pages !== undefined && vault === undefined && named !== undefined }
}

/** The vault in the address. */
export function useNamedVault(): string | undefined {
  return useSearch({
    strict: false,
    select: ({ vaultId }: { vaultId?: unknown }) => (typeof vaultId === 'string' ? vaultId : undefined),
  })
}

const vaultsIn = (pages: readonly PageOf<'list-vaults'>[] | undefined) => (pages ?? []).flatMap((page) => page.vaults)

/** For addresses that name no vault: the vault that this browser showed last, or the default vault. */
const findCurrent = (vaults: readonly Vault[], lastId: string | undefined) =>
  vaults.find(({ id }) => id === lastId) ?? vaults.find(({ isDefault }) => isDefault) ?? vaults[0]

const allVaults = wholeListOf('list-vaults', {})

export const currentVaultId = (client: QueryClient): string | undefined =>
  findCurrent(vaultsIn(client.getQueryData(allVaults.queryKey)), preferences().vaultId)?.id

export function isMissingVault(client: QueryClient, vaultId: string): boolean {
  const pages = client.getQueryData(allVaults.queryKey)
  return pages !== undefined && vaultsIn(pages).every(({ id }) => id !== vaultId)
}

export const loadVaults = (client: QueryClient) => client.ensureQueryData(allVaults)

/** Makes a vault the current one, for addresses that name none. */
export const chooseVault = (vaultId: string) => setPreferences({ vaultId })

/** The vault that is shown last becomes the current one. */
export function useRememberVault(): void {
  const { vault } = useVaults()
  const id = vault?.id
  useEffect(() => {
    if (id !== undefined && id !== preferences().vaultId) chooseVault(id)
  }, [id])
}

/** Opens another vault: at the same kind of page, or at its first page if this page isn't a vault's. */
export function useOpenVault(): (vaultId: string) => void {
  const navigate = useNavigate()
  const router = useRouter()
  return (vaultId) => {
    const { pathname, search } = router.state.location
    const { vaultId: named, q }: { vaultId?: unknown; q?: unknown } = search
    // The new vault is searched for the same words. Other filters may name what only the former vault has.
    const kept = named === undefined || q === undefined ? {} : { q }
    void navigate({ to: named === undefined ? '/' : pageOfKind(pathname), search: { ...kept, vaultId } })
  }
}
