import type { Webhook } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { countOf } from '../../components/text/time-text.ts'

/** The attempts that failed, the same in the list and on the page. */
export const Failures = ({ webhook: { errorCount } }: { webhook: Webhook }) =>
  errorCount > 0 ? (
    countOf(errorCount, 'attempt')
  ) : (
    <Text span inherit c="dimmed">
      None
    </Text>
  )
