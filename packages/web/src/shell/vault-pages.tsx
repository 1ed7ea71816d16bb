import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { loadMoreStyles } from './later.ts'
import { AddressContext, addressOf } from './vault-address.ts'
import { useNamedVault, useVaults } from './vault.ts'

/** Few people see it, so it isn't part of what is loaded at first. */
const VaultNotFound = lazy(async () => {
  const [, { VaultNotFound: component }] = await Promise.all([loadMoreStyles(), import('./vault-not-found.tsx')])
  return { default: component }
})

/** The pages of the vault in the address. */
export function VaultPages() {
  const { isMissing } = useVaults()
  const vaultId = useNamedVault() ?? ''
  if (!isMissing)
    return (
      <AddressContext value={vaultId === '' ? '' : addressOf(vaultId)}>
        <Outlet />
      </AddressContext>
    )
  return (
    <Suspense>
      <VaultNotFound key={vaultId} vaultId={vaultId} />
    </Suspense>
  )
}
