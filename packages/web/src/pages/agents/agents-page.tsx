import type { Integration } from '@holdfast/client/dashboard'
import { KeyRound } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewButton } from '../../components/frame/new-button.tsx'
import { Page } from '../../components/frame/page.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { ListWithPanel } from '../../components/lists/record-panel.tsx'
import { useOpenRecord } from '../../components/lists/use-open-record.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { AgentDetail } from './agent-detail.tsx'
import { AgentForm } from '../../components/connect/agent-form.tsx'
import { AgentTable } from './agent-table.tsx'

const pageSize = 20
const url = describeUrl({ offset: 0, new: false })

/** The most recent callers come first. Agents that never called follow, in the server's order. */
const byLastCall = (a: Integration, b: Integration) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? '')

export function AgentsPage() {
  const [state, setState] = useUrlState(url)
  const record = useOpenRecord('/agents', 'integrationId')
  const integrations = usePage('list-integrations', { limit: pageSize, offset: state.offset })
  const openNew = () => setState({ new: true })
  useShortcut('c', 'New agent', openNew)
  return (
    <Page
      title="Agents & keys"
      lead="Each agent has its own keys, so you can see what it wrote, limit its access, and revoke its keys."
      actions={
        <NewButton isEmpty={integrations.data?.total === 0} onClick={openNew}>
          New agent
        </NewButton>
      }
    >
      <ListWithPanel
        record={record}
        title="Agent"
        back="All agents"
        filters={null}
        list={
          <Loaded query={integrations}>
            {(page) =>
              page.total === 0 ? (
                <EmptyState icon={KeyRound} action={<ConnectAgent />}>
                  No agents yet. Add one and give it a key, or follow the steps for your program.
                </EmptyState>
              ) : (
                <>
                  <AgentTable integrations={page.integrations.toSorted(byLastCall)} record={record} />
                  <Pager page={page} onOffset={(offset) => setState({ offset })} />
                </>
              )
            }
          </Loaded>
        }
      >
        {(id) => <AgentDetail integrationId={id} onGone={record.close} />}
      </ListWithPanel>
      <AgentForm isOpen={state.new} onClose={() => setState({ new: false })} onCreated={record.open} />
    </Page>
  )
}
