import type { Run } from '@holdfast/client/dashboard'
import { Anchor, Button, Code, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePages } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import classes from './turn-list.module.css'
import { TurnItem } from './turn-item.tsx'

const pageSize = 20

interface Props {
  vaultId: string
  run: Pick<Run, 'id' | 'startedAt' | 'agentId'>
}

/** The turns of a run that its agent recorded, oldest first. */
export function TurnList({ vaultId, run }: Props) {
  const query = usePages('list-run-turns', { vaultId, runId: run.id, limit: pageSize })
  return (
    <section>
      <Title order={2} mb="xs">
        Conversation
      </Title>
      <Loaded query={query}>
        {({ pages }) => {
          const turns = pages.flatMap((page) => page.turns)
          const { total = 0, keptSince = null } = pages.at(-1) ?? {}
          const isCut = keptSince !== null && Date.parse(keptSince) > Date.parse(run.startedAt)
          return (
            <>
              {isCut && <Deleted before={keptSince} />}
              {turns.length === 0 && !isCut && <NoTurns />}
              {turns.length > 0 && (
                <ol className={classes.turns} aria-label="Turns">
                  {turns.map((turn) => (
                    <TurnItem key={turn.turnId} vaultId={vaultId} turn={turn} agentId={run.agentId} />
                  ))}
                </ol>
              )}
              {query.hasNextPage && (
                <Button
                  variant="default"
                  mt="sm"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {`Show more (${formatCount(total)} in total)`}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

function Deleted({ before }: { before: string }) {
  return (
    <Text c="dimmed" mb="xs">
      This vault keeps turns since <Moment at={before} />. Older turns are deleted.
    </Text>
  )
}

function NoTurns() {
  return (
    <Text c="dimmed">
      No conversation recorded. The hooks of <Code>holdfast connect</Code> record each prompt and its answer:{' '}
      <Anchor underline="always" renderRoot={(props) => <Link {...props} to="/connect" />}>
        connect an agent
      </Anchor>
      .
    </Text>
  )
}
