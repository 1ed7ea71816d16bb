import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Moment } from '../../components/text/moment.tsx'
import cardClasses from '../../components/lists/record-table.module.css'
import { formatCount } from '../../components/text/time-text.ts'
import classes from './agents-today.module.css'
import type { Overview } from './overview.ts'

const numbers: ReadonlySet<string> = new Set(['Memories', 'Runs', 'Calls'])

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
        // Mantine's table would bring its scroll areas into the first load.
        <table className={`${cardClasses.table} ${classes.table}`} aria-label="Agents today">
          <thead>
            <tr>
              {['Agent', 'Memories', 'Runs', 'Calls', 'Last seen'].map((head) => (
                <th key={head} scope="col" data-number={numbers.has(head) || undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {agents.map(({ agentId, memories, runs, toolCalls, lastSeenAt }) => (
              <tr key={agentId}>
                <td>
                  <Anchor renderRoot={(props) => <Link {...props} to="/memories" search={{ agent: agentId }} />}>
                    {agentId}
                  </Anchor>
                </td>
                <td data-number data-label="Memories">
                  {formatCount(memories)}
                </td>
                <td data-number data-label="Runs">
                  {runs === 0 ? (
                    0
                  ) : (
                    <Anchor
                      inherit
                      // On phones it follows a word, and needs more than its color.
                      fw={550}
                      renderRoot={(props) => <Link {...props} to="/runs" search={{ agent: agentId }} />}
                    >
                      {formatCount(runs)}
                    </Anchor>
                  )}
                </td>
                <td data-number data-label="Calls">
                  {formatCount(toolCalls)}
                </td>
                <td data-label="Last seen">
                  <Moment at={lastSeenAt} never="unknown" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
