import type { Vault } from '@holdfast/client/dashboard'
import type { ReactNode } from 'react'
import { useVaults } from '../../shell/vault.ts'
import { SkeletonList } from '../feedback/loaded.tsx'

/** What shows the vault that is being looked at; another vault begins anew. */
export function InVault({ children }: { children: (vault: Vault) => ReactNode }) {
  const { vault } = useVaults()
  if (vault === undefined) return <SkeletonList />
  return <div key={vault.id}>{children(vault)}</div>
}
