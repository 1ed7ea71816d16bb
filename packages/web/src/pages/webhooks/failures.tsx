import type { Webhook } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { usePage } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'

/** What failed, the same in the list and on the page. A delivery fails after its last attempt, so there are more failed attempts. */
export function Failures({ webhook: { id, errorCount } }: { webhook: Webhook }) {
  const hasFailed = errorCount > 0
  const failed = usePage('list-webhook-deliveries', { webhookId: id, state: 'dead', limit: 1 }, { enabled: hasFailed })
  if (!hasFailed)
    return (
      <Text span inherit c="dimmed">
        None
      </Text>
    )
  const attempts = countOf(errorCount, 'attempt')
  return failed.data === undefined ? attempts : `${countOf(failed.data.total, 'delivery', 'deliveries')}, ${attempts}`
}
