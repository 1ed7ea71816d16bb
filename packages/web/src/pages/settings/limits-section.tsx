import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { formatCount, formatDay } from '../../components/text/time-text.ts'
import { useSession } from '../../shell/session.ts'
import { classes, currentMonth } from '../usage/units.ts'
import { useUsage } from '../usage/usage-parts.ts'
import { Section } from './section.tsx'

export function LimitsSection() {
  const usage = useUsage('units')
  return (
    <Section
      title="Limits"
      lead={
        <>
          How many requests your agents can make. For details, see{' '}
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/usage" {...props} />}>
            Usage
          </Anchor>
          .
        </>
      }
    >
      <Loaded query={usage}>
        {({ units }) => {
          const used = currentMonth(units)?.units
          return (
            <>
              <RecordTable
                label="Limits"
                heads={['Requests', 'Used this month', 'Per month', 'Per minute']}
                numbers={['Used this month', 'Per month', 'Per minute']}
              >
                {classes.map(({ name, label }) => (
                  <Table.Tr key={name}>
                    <Table.Td>{label}</Table.Td>
                    <Table.Td data-number data-unit="this month">
                      {formatCount(used?.[name] ?? 0)}
                    </Table.Td>
                    <LimitCell limit={units.quotas[name]} none="No quota" words={['quota of', 'a month']} />
                    <LimitCell limit={units.rates[name]} none="No limit" words={['up to', 'a minute']} />
                  </Table.Tr>
                ))}
              </RecordTable>
              <Text size="sm" c="dimmed" mt="md">
                Quotas reset on {formatDay(units.resetsAt)}. <HowToSet />
              </Text>
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

interface LimitProps {
  /** 0 means that there is no limit. */
  limit: number
  none: string
  /** What phones show before and after it. */
  words: readonly [before: string, after: string]
}

function LimitCell({ limit, none, words: [before, after] }: LimitProps) {
  if (limit === 0)
    return (
      <Table.Td data-number data-lower>
        {none}
      </Table.Td>
    )
  return (
    <Table.Td data-number data-label={before} data-unit={after}>
      {formatCount(limit)}
    </Table.Td>
  )
}

function HowToSet() {
  const { data } = useSession()
  if (data?.user.isOwner !== true) return 'The server’s operator sets quotas and rate limits.'
  return (
    <>
      To set limits, start the server with settings such as <code>HOLDFAST_QUOTA_READ=100000</code> for a month, or{' '}
      <code>HOLDFAST_RATE_LIMIT_READ=600</code> for a minute. <code>WRITE</code>, <code>SEARCH</code> and{' '}
      <code>INGEST</code> (turns and checkpoints) work the same way.
    </>
  )
}
