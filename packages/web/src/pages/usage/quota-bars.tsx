import { Progress, SimpleGrid } from '@mantine/core'
import { formatCount } from '../../components/text/time-text.ts'
import { currentMonth, classes } from './units.ts'
import { Figure } from './figure.tsx'
import type { Usage } from './usage-parts.ts'

/** This month's use by class, with the quota if there is one. */
export function QuotaBars({ usage }: { usage: Usage<'units'> }) {
  const current = currentMonth(usage)
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {classes.map(({ name, label }) => {
        const used = current?.units[name] ?? 0
        const quota = usage.quotas[name]
        return (
          <Figure
            key={name}
            name={`${label} this month`}
            value={formatCount(used)}
            note={quota > 0 ? `of ${formatCount(quota)}${used >= quota ? ', used up' : ''}` : 'No quota'}
          >
            {quota > 0 && (
              <Progress
                value={(used / quota) * 100}
                color={used >= quota ? 'red' : 'kelp'}
                my={6}
                aria-label={`${label}: share of quota used`}
              />
            )}
          </Figure>
        )
      })}
    </SimpleGrid>
  )
}
