import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import { isCovered } from '../../components/feedback/is-covered.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Page } from '../../components/frame/page.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { AgentDetail } from './agent-detail.tsx'
import { AgentForm } from '../../components/connect/agent-form.tsx'
import { AgentTable } from './agent-table.tsx'
import { useServerCommand } from '../../shell/server-command.ts'

const pageSize = 20
const url = describeUrl({ offset: 0, new: false })

export function AgentsPage() {
  const holdfast = useServerCommand()
  const [state, setState] = useUrlState(url)
  const { integrationId }: { integrationId?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 767px)')
  const integrations = usePage('list-integrations', { limit: pageSize, offset: state.offset })
  const openNew = () => setState({ new: true })
  const open = (id: string) => void navigate({ to: `/agents/${id}`, search: true, resetScroll: false })
  const close = () => void navigate({ to: '/agents', search: true, resetScroll: false })
  useShortcut('c', 'New agent', openNew)
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={openNew}>
      New agent
    </Button>
  )
  return (
    <Page
      title="Agents & keys"
      lead="Each agent has its own keys, so you can see what it wrote, limit its access, and revoke its keys."
      actions={create}
    >
      <Loaded query={integrations}>
        {(page) =>
          page.total === 0 ? (
            <EmptyState icon={KeyRound} action={create} command={holdfast('keys create --label "Laptop"')}>
              No agents yet. Add one and give it a key.
            </EmptyState>
          ) : (
            <>
              <AgentTable integrations={page.integrations} onOpen={open} />
              <Pager page={page} onOffset={(offset) => setState({ offset })} />
            </>
          )
        }
      </Loaded>
      <AgentForm isOpen={state.new} onClose={() => setState({ new: false })} onCreated={open} />
      <Drawer
        opened={integrationId !== undefined}
        onClose={() => isCovered() || close()}
        position="right"
        size={isNarrow ? '100%' : 560}
        title="Agent"
      >
        {integrationId !== undefined && <AgentDetail integrationId={integrationId} onGone={close} />}
      </Drawer>
    </Page>
  )
}
