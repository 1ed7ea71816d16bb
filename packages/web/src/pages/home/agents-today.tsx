import { Anchor, Button, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Moment } from '../../components/text/moment.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import type { Overview } from './overview.ts'

export function AgentsToday({ agents }: Pick<Overview, 'agents'>) {
  return (
    <section>
      <Title order={2} mb="xs">
        Agents today
      </Title>
      {agents.length === 0 ? (
        <>
          <Text c="dimmed" mb="sm">
            No agents have been active today.
          </Text>
          <Button variant="default" size="xs" renderRoot={(props) => <Link {...props} to="/connect" />}>
            Connect an agent
          </Button>
        </>
      ) : (
        <RecordTable label="Agents today" heads={['Agent', 'Memories', 'Runs', 'Calls', 'Last seen']}>
          {agents.map(({ agentId, memories, runs, toolCalls, lastSeenAt }) => (
            <Table.Tr key={agentId}>
              <Table.Td>
                <Anchor renderRoot={(props) => <Link {...props} to="/memories" search={{ agent: agentId }} />}>
                  {agentId}
                </Anchor>
              </Table.Td>
              <Table.Td data-label="Memories">{formatCount(memories)}</Table.Td>
              <Table.Td data-label="Runs">
                {runs === 0 ? (
                  0
                ) : (
                  <Anchor renderRoot={(props) => <Link {...props} to="/runs" search={{ agent: agentId }} />}>
                    {formatCount(runs)}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td data-label="Calls">{formatCount(toolCalls)}</Table.Td>
              <Table.Td data-label="Last seen">
                <Moment at={lastSeenAt} never="unknown" />
              </Table.Td>
            </Table.Tr>
          ))}
        </RecordTable>
      )}
    </section>
  )
}
