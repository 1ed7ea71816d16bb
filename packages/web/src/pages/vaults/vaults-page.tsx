import type { Vault } from '@holdfast/client/dashboard'
import { useState } from 'react'
import { usePage } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewButton } from '../../components/frame/new-button.tsx'
import { Page } from '../../components/frame/page.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { DeleteVault } from './delete-vault.tsx'
import { Invitations } from './invitations.tsx'
import { MembersDialog } from './members-dialog.tsx'
import { VaultForm } from './vault-form.tsx'
import { VaultSettingsDialog } from './vault-settings.tsx'
import { VaultTable } from './vault-table.tsx'

const pageSize = 20
const url = describeUrl({ offset: 0, new: false })

export function VaultsPage() {
  const [state, setState] = useUrlState(url)
  const [edited, setEdited] = useState<Vault>()
  const [shared, setShared] = useState<Vault>()
  const [configured, setConfigured] = useState<Vault>()
  const [deleted, setDeleted] = useState<Vault>()
  const vaults = usePage('list-vaults', { limit: pageSize, offset: state.offset })
  const openNew = () => setState({ new: true })
  // What the person may do in it can change meanwhile, and it can disappear.
  const newest = (vault: Vault | undefined) => vaults.data?.vaults.find(({ id }) => id === vault?.id)
  useShortcut('c', 'New vault', openNew)
  return (
    <Page
      title="Vaults"
      lead="Separate spaces, each encrypted with its own key. Agents and other people see only those you give them."
      actions={<NewButton onClick={openNew}>New vault</NewButton>}
    >
      <Loaded query={vaults}>
        {(page) => (
          <>
            <Invitations invitations={page.invitations ?? []} />
            <VaultTable
              vaults={page.vaults}
              // Own vaults come first, so a page with shared ones has the last of them.
              ownVaults={page.offset + page.vaults.filter(({ role }) => role === undefined).length}
              onEdit={setEdited}
              onMembers={setShared}
              onSettings={setConfigured}
              onDelete={setDeleted}
            />
            <Pager page={page} onOffset={(offset) => setState({ offset })} />
          </>
        )}
      </Loaded>
      <VaultForm
        key={edited?.id ?? 'new'}
        isOpen={state.new || edited !== undefined}
        vault={edited}
        onClose={() => {
          setEdited(undefined)
          setState({ new: false })
        }}
      />
      <VaultSettingsDialog vault={newest(configured)} onClose={() => setConfigured(undefined)} />
      <MembersDialog vault={newest(shared)} onClose={() => setShared(undefined)} />
      <DeleteVault vault={deleted} onClose={() => setDeleted(undefined)} />
    </Page>
  )
}
