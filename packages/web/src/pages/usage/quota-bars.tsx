import type { UsageOutput } from '@holdfast/client/dashboard'
import { Progress, SimpleGrid, Text } from '@mantine/core'
import { formatCount } from '../../components/time-text.ts'
import { monthThatRuns } from '../../components/usage-month.ts'
import styles from './quota-bars.module.css'
import { classes } from './units.ts'

/** This month by class, with what is left where there is a quota. */
export function QuotaBars({ usage }: { usage: UsageOutput }) {
  const current = monthThatRuns(usage)
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {classes.map(({ name, label }) => {
        const used = current?.units[name] ?? 0
        const quota = usage.quotas[name]
        return (
          <div key={name} className={styles.card}>
            <Text c="dimmed">{label} this month</Text>
            <Text fz={22} fw={600}>
              {formatCount(used)}
            </Text>
            {quota > 0 ? (
              <>
                <Progress
                  value={(used / quota) * 100}
                  color={used >= quota ? 'red' : 'kelp'}
                  mt={6}
                  aria-label={`${label}: share of the quota that is used`}
                />
                <Text size="xs" mt={4}>
                  of {formatCount(quota)}
                  {used >= quota && ', used up'}
                </Text>
              </>
            ) : (
              <Text size="xs" c="dimmed">
                No quota
              </Text>
            )}
          </div>
        )
      })}
    </SimpleGrid>
  )
}
