import type { Run } from '@holdfast/client/dashboard'
import { Anchor, Button, Code, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useParams } from '@tanstack/react-router'
import { Undo2, Waypoints } from 'lucide-react'
import { isNotFound } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { CodeBlock, CopyButton } from '../../components/text/code-block.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { ClockTime, useNow } from '../../components/text/moment.tsx'
import { countOf, formatCount, formatDuration } from '../../components/text/time-text.ts'
import { CallList } from './call-list.tsx'
import classes from './run-page.module.css'
import { RevertRun } from './revert-run.tsx'
import { CheckpointState, lastedMs, RunState } from './run-table.tsx'
import { countWork, isActive, titleOfRun } from './run-work.ts'
import { RunWrites } from './run-writes.tsx'
import { TurnList } from './turn-list.tsx'
import { ViewerNote } from '../../components/frame/only-for.tsx'
import { useMay } from '../../shell/role.ts'
import { useShortcut } from '../../shell/shortcuts.ts'

export function RunPage() {
  const { runId = '' }: { runId?: string } = useParams({ strict: false })
  return <InVault>{({ id }) => <OneRun vaultId={id} id={runId} />}</InVault>
}

function OneRun({ vaultId, id }: { vaultId: string; id: string }) {
  const found = useOne('list-runs', { vaultId, id })
  const [isReverting, reverting] = useDisclosure()
  const mayEdit = useMay('editor')
  const run = found.data?.run
  useShortcut(run !== undefined && mayEdit ? 'u' : undefined, 'Undo this run’s writes', reverting.open)
  return (
    <Page
      title={run === undefined ? 'Run' : titleOfRun(run)}
      back={{ to: '/runs', label: 'All runs' }}
      actions={
        run !== undefined &&
        mayEdit && (
          <Button
            variant="default"
            leftSection={<Undo2 size={16} aria-hidden />}
            aria-keyshortcuts="u"
            onClick={reverting.open}
          >
            Undo this run’s writes
          </Button>
        )
      }
    >
      <ViewerNote />
      {isNotFound(found.error) ? (
        <EmptyState
          icon={Waypoints}
          action={<Button renderRoot={(props) => <Link {...props} to="/runs" />}>All runs</Button>}
        >
          Run not found in this vault. It may be in another vault, or it may have been deleted because of its age.
        </EmptyState>
      ) : (
        <Loaded query={found} skeleton={<SkeletonRecord />}>
          {({ run: known, operations, ...written }) => (
            <Stack gap="xl">
              <Facts run={known} />
              <RunWrites run={known} {...written} />
              <TurnList vaultId={vaultId} run={known} />
              <CallList vaultId={vaultId} runId={known.id} operations={operations} />
            </Stack>
          )}
        </Loaded>
      )}
      {isReverting && run !== undefined && (
        <RevertRun vaultId={vaultId} id={id} title={titleOfRun(run)} onClose={reverting.close} />
      )}
    </Page>
  )
}

function Facts({ run }: { run: Run }) {
  const nowMs = useNow()
  const facts = [
    ['State', <RunState key="state" run={run} />],
    ['Agent', <AgentLink key="agent" run={run} />],
    // Of others, this is only their last call.
    ['Activity', isActive(run, nowMs) ? run.currentActivity : null],
    ['Started', <Start key="started" run={run} />],
    // Otherwise, its start and duration say it.
    ['Last activity', run.endedAt === null ? <ClockTime key="seen" at={run.lastSeenAt} /> : null],
    ['Wrote', countWork(run.work)],
    ['Checkpoint', <Checkpoint key="checkpoint" run={run} />],
    ['Model', run.modelId],
    ['Calls', countCalls(run)],
    ['Run id', <RunId key="id" name={run.agentRunId} />],
  ] as const
  return (
    <section aria-label="About this run" className={classes.facts}>
      <FactList facts={facts.filter(([, value]) => value !== null && value !== undefined)} />
      {Object.keys(run.metadata).length > 0 && (
        <CodeBlock label="Metadata from the agent" isWrapped code={JSON.stringify(run.metadata, undefined, 2)} />
      )}
    </section>
  )
}

/** What kinds of calls these were is listed below. */
const countCalls = ({ toolCalls, failures }: Run) =>
  `${formatCount(toolCalls)}${failures > 0 ? `, ${countOf(failures, 'error')}` : ''}`

function Start({ run }: { run: Run }) {
  const lasted = formatDuration(lastedMs(run))
  const isStillActive = isActive(run, useNow())
  return (
    <>
      <ClockTime at={run.startedAt} />
      {isStillActive && `, ${lasted} so far`}
      {run.endedAt !== null && `, lasted ${lasted}`}
    </>
  )
}

function Checkpoint({ run }: { run: Run }) {
  return (
    <span className={classes.checkpoint}>
      <CheckpointState run={run} /> {run.checkpointAt !== null && <ClockTime at={run.checkpointAt} />}
    </span>
  )
}

/** `scout, Laptop, coding`, without what repeats or says nothing. */
function AgentLink({ run: { agentId, integrationId, label, agentType } }: { run: Run }) {
  const name = [...new Set([agentId, label, agentType])].filter((part) => part !== null && part !== 'other').join(', ')
  if (integrationId === null) return name
  return <Anchor renderRoot={(props) => <Link {...props} to={`/agents/${integrationId}`} />}>{name}</Anchor>
}

function RunId({ name }: { name: string }) {
  return (
    <span className={classes.id}>
      <Code>{name}</Code> <CopyButton text={name} what="run id" />
    </span>
  )
}
