import type { Webhook } from '@holdfast/client/dashboard'
import { Button } from '@mantine/core'
import { RotateCw } from 'lucide-react'
import { useAction } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

/** Before the first delivery. */
const beginning = new Date(0).toISOString()

/** Sends all failed deliveries of a webhook again. */
export function SendAgain({ webhook: { id: webhookId, failedDeliveries } }: { webhook: Webhook }) {
  const redeliver = useAction('redeliver-webhook', {
    refreshes: ['list-webhook-deliveries', 'list-webhooks', 'read-overview'],
    onDone: ({ queued }) =>
      toast(queued === 0 ? 'No failed deliveries' : `${countOf(queued, 'delivery', 'deliveries')} queued`),
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCw size={14} aria-hidden />}
      loading={redeliver.isPending}
      aria-label={`Send again: ${countOf(failedDeliveries, 'failed delivery', 'failed deliveries')}`}
      onClick={(event) => {
        // In a row that opens the webhook.
        event.stopPropagation()
        redeliver.mutate({ webhookId, since: beginning }, { onError: (error) => toastError(error) })
      }}
    >
      Send again
    </Button>
  )
}
