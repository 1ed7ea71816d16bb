import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Archive, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { EmptyState } from '../feedback/empty-state.tsx'
import { SkeletonList } from '../feedback/skeletons.tsx'

interface Props {
  id: string
  /** The page of records of this type. */
  path: '/memories' | '/tasks' | '/notes'
  icon: LucideIcon
  /** Shown if no vault has the record: what may have happened to it, and a button. */
  children: ReactNode
  action: ReactNode
}

/** For a record that the vault in the address doesn't have: says which of the person's vaults has it, and leads there. */
export function RecordMissing({ id, path, icon, children, action }: Props) {
  const { data, isPending } = useOperation('list-vaults', { recordId: id })
  if (isPending) return <SkeletonList />
  const vault = data?.vaults[0]
  if (vault === undefined)
    return (
      <EmptyState icon={icon} action={action}>
        {children}
      </EmptyState>
    )
  const open = (
    <Button renderRoot={(props) => <Link {...props} to={`${path}/${id}`} search={{ vaultId: vault.id }} />}>
      Open it there
    </Button>
  )
  return (
    <EmptyState icon={Archive} action={open}>
      It is in your vault {vault.name}.
    </EmptyState>
  )
}
