import type { Webhook } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { countOf } from '../../components/text/time-text.ts'

/** What wasn't delivered, the same in the list and on the page. */
export const Failures = ({ webhook: { failedDeliveries } }: { webhook: Webhook }) =>
  failedDeliveries > 0 ? (
    countOf(failedDeliveries, 'event')
  ) : (
    <Text span inherit c="dimmed">
      None
    </Text>
  )
