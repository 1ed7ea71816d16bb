import type { Integration } from '@holdfast/client/dashboard'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import classes from './context-page.module.css'
import { PreviewControls } from './preview-controls.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { inputOf, previewUrl } from './preview-state.ts'
import { useServerCommand } from '../../shell/server-command.ts'
import { OnlyFor, RoleNote } from '../../components/frame/only-for.tsx'

export function ContextPage() {
  return (
    <Page
      title="Context preview"
      lead="Exactly what an agent gets at the start of a session in this vault. A preview doesn’t start a session."
    >
      <RoleNote needs="owner">Only the owner of this vault can preview what agents get from it.</RoleNote>
      <OnlyFor needs="owner">
        <InVault>{({ id }) => <Previews vaultId={id} />}</InVault>
      </OnlyFor>
    </Page>
  )
}

const maxAgents = 100

function Previews({ vaultId }: { vaultId: string }) {
  const [state, setState] = useUrlState(previewUrl)
  const agents = usePage('list-integrations', { limit: maxAgents })
  const paneOf = (agent: string, mode: string) => (
    <PreviewPane input={inputOf(state, vaultId, agent, mode)} tab={state.tab} onTab={(tab) => setState({ tab })} />
  )
  return (
    <Loaded query={agents}>
      {({ integrations }) => {
        const agent =
          integrations.find(({ id }) => id === state.agent) ??
          integrations.find((one) => mayRead(one, vaultId)) ??
          integrations[0]
        if (agent === undefined) return <NoAgent />
        return (
          <>
            <PreviewControls integrations={integrations} agent={agent.id} state={state} setState={setState} />
            <div className={classes.previews}>
              {paneOf(agent.id, state.mode)}
              {state.against !== '' && paneOf(agent.id, state.against)}
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

const mayRead = ({ restrictToVault, vaults }: Integration, vaultId: string) =>
  !restrictToVault || vaults.some((vault) => vault.vaultId === vaultId)

function NoAgent() {
  const holdfast = useServerCommand()
  return (
    <EmptyState
      icon={KeyRound}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/agents" search={{ new: true }} />}>New agent</Button>
      }
      command={holdfast('keys create --label "Laptop"')}
    >
      The context depends on the agent. Add an agent to see a preview.
    </EmptyState>
  )
}
