import { useLocation } from '@tanstack/react-router'
import { InVault } from '../../components/frame/page.tsx'
import { nameIn } from '../../components/records/entity-address.ts'
import { EntityList } from './entity-list.tsx'
import { EntityPage } from './entity-page.tsx'

/** The entity in the address's fragment, or the most frequent entities. */
export function EntitiesPage() {
  const name = nameIn(useLocation({ select: ({ hash }) => hash }))
  return (
    <InVault>
      {({ id }) => (name === '' ? <EntityList vaultId={id} /> : <EntityPage key={name} vaultId={id} name={name} />)}
    </InVault>
  )
}
