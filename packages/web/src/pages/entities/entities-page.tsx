import { useLocation } from '@tanstack/react-router'
import { Tags } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { nameIn } from '../../components/records/entity-address.ts'
import { EntityChip, EntityChips } from '../../components/records/entity-chip.tsx'
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

function EntityList({ vaultId }: { vaultId: string }) {
  const facets = useOperation('count-memories', { vaultId, state: 'live' })
  return (
    <Page title="Entities" lead="The people, projects and things that most memories in this vault are about.">
      <Loaded query={facets}>
        {({ entities }) =>
          entities.length === 0 ? (
            <EmptyState icon={Tags}>
              No entities yet. Agents name them when they write a memory, and you can add them when you edit one.
            </EmptyState>
          ) : (
            <EntityChips>
              {entities.map(({ value, count }) => (
                <EntityChip key={value} name={value} count={count} />
              ))}
            </EntityChips>
          )
        }
      </Loaded>
    </Page>
  )
}
