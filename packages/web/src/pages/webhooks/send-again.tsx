import type { Webhook } from '@holdfast/client/dashboard'
import { Button } from '@mantine/core'
import { RotateCw } from 'lucide-react'
import type { RefObject } from 'react'
import { useAction } from '../../api/queries.ts'
import { useFocusAfter } from '../../components/feedback/use-focus-after.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

/** Before the first delivery. */
const beginning = new Date(0).toISOString()

interface Props {
  webhook: Webhook
  /** What gets the focus when no delivery is left, and the button disappears. */
  next: RefObject<HTMLElement | null>
}

/** Sends all events of a webhook again that weren't delivered. */
export function SendAgain({ webhook: { id: webhookId, failedDeliveries }, next }: Props) {
  const noteUse = useFocusAfter(() => next.current)
  const redeliver = useAction('redeliver-webhook', {
    refreshes: ['list-webhook-deliveries', 'list-webhooks', 'read-overview'],
    onDone: ({ queued }) =>
      toast(queued === 0 ? 'Nothing to send again' : `${countOf(queued, 'delivery', 'deliveries')} queued`),
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCw size={14} aria-hidden />}
      loading={redeliver.isPending}
      aria-label={`Send ${formatCount(failedDeliveries)} again: ${countOf(failedDeliveries, 'event')}`}
      onClick={(event) => {
        // In a row that opens the webhook.
        event.stopPropagation()
        noteUse()
        redeliver.mutate({ webhookId, since: beginning }, { onError: (error) => toastError(error) })
      }}
    >
      Send {formatCount(failedDeliveries)} again
    </Button>
  )
}
