import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { formatCount, formatDay } from '../../components/text/time-text.ts'
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
                    <Table.Td data-number data-lower data-unit={units.quotas[name] === 0 ? undefined : 'per month'}>
                      {countOrNone(units.quotas[name], 'No quota')}
                    </Table.Td>
                    <Table.Td data-number data-lower data-unit={units.rates[name] === 0 ? undefined : 'per minute'}>
                      {countOrNone(units.rates[name], 'No limit')}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </RecordTable>
              <Text size="sm" c="dimmed" mt="md">
                Quotas reset on {formatDay(units.resetsAt)}. The server’s operator sets both with variables that begin
                with <code>HOLDFAST_QUOTA_</code> or <code>HOLDFAST_RATE_LIMIT_</code>.
              </Text>
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

const countOrNone = (count: number, none: string) => (count === 0 ? none : formatCount(count))
