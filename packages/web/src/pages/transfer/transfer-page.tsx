import type { Vault } from '@holdfast/client/dashboard'
import { Stack, Title } from '@mantine/core'
import { InVault, Page } from '../../components/frame/page.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { ExportPanel } from './export-panel.tsx'
import { ImportPanel } from './import-panel.tsx'
import { PastImports } from './past-imports.tsx'
import classes from './transfer-page.module.css'
import { OnlyFor, RoleNote } from '../../components/frame/only-for.tsx'

export function TransferPage() {
  return (
    <Page
      title="Import & export"
      lead="Import notes and memories from other programs, and export everything in this vault."
    >
      <InVault>{(vault) => <Transfer vault={vault} />}</InVault>
    </Page>
  )
}

const url = describeUrl({ offset: 0 })

function Transfer({ vault }: { vault: Vault }) {
  const [{ offset }, setState] = useUrlState(url)
  return (
    <Stack gap="xl">
      <RoleNote needs="owner">Only the owner of this vault can import into it and export it.</RoleNote>
      <OnlyFor needs="owner">
        <section>
          <Title order={2} mb="xs">
            Import into “{vault.name}”
          </Title>
          <div className={classes.panel}>
            <ImportPanel vaultId={vault.id} />
          </div>
        </section>
      </OnlyFor>
      <OnlyFor needs="owner">
        <section>
          <Title order={2} mb="xs">
            Export “{vault.name}”
          </Title>
          <div className={classes.panel}>
            <ExportPanel vault={vault} />
          </div>
        </section>
      </OnlyFor>
      <section>
        <Title order={2} mb="xs">
          Past imports
        </Title>
        <PastImports vaultId={vault.id} offset={offset} onOffset={(next) => setState({ offset: next })} />
      </section>
    </Stack>
  )
}
