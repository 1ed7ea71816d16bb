import type { TestWebhookOutput, Webhook } from '@holdfast/client/dashboard'
import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { toast, toastError } from '../../shell/toasts.tsx'
import { NewSecret } from './new-secret.tsx'
import { WebhookForm } from './webhook-form.tsx'

const onError = (error: Error) => toastError(error)

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [isEditing, editing] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  const { id, isActive } = webhook
  const test = useAction('test-webhook', { onDone: showTestResult })
  const update = useAction('update-webhook', { refreshes: ['list-webhooks'] })
  return (
    <>
      <Button
        variant="default"
        leftSection={<Send size={16} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate({ id }, { onError })}
      >
        Send test
      </Button>
      <Button
        variant="default"
        leftSection={isActive ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        loading={update.isPending}
        onClick={() => update.mutate({ id, isActive: !isActive }, { onError })}
      >
        {isActive ? 'Pause' : 'Resume'}
      </Button>
      <MoreMenu webhook={webhook} onEdit={editing.open} onSecret={setSecret} />
      <WebhookForm isOpen={isEditing} onClose={editing.close} onCreated={() => {}} webhook={webhook} />
      <NewSecret created={secret === undefined ? undefined : { id, secret }} onClose={() => setSecret(undefined)} />
    </>
  )
}

function showTestResult({ delivered, status, error, durationMs }: TestWebhookOutput): void {
  if (delivered) toast(`Delivered: ${status} in ${durationMs} ms`)
  else toastError(new Error(error ?? `The service returned ${status}.`), 'Test not delivered')
}

interface MoreProps {
  webhook: Webhook
  onEdit: () => void
  onSecret: (secret: string) => void
}

function MoreMenu({ webhook: { id, url }, onEdit, onSecret }: MoreProps) {
  const navigate = useNavigate()
  const rotate = useAction('rotate-webhook-secret', {
    refreshes: ['list-webhooks'],
    onDone: ({ webhook }) => onSecret(webhook.secret),
  })
  const remove = useAction('delete-webhook', {
    refreshes: ['list-webhooks'],
    onDone() {
      toast('Webhook deleted')
      void navigate({ to: '/webhooks' })
    },
  })
  const askToRemove = () =>
    confirmStep({
      title: 'Delete this webhook?',
      body: `Nothing more is sent to ${new URL(url).host}. Queued deliveries are dropped.`,
      confirmLabel: 'Delete',
      onConfirm: () => remove.mutate({ id }, { onError }),
    })
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" px="xs" aria-label="More">
          <Ellipsis size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<KeyRound size={15} aria-hidden />} onClick={() => rotate.mutate({ id }, { onError })}>
          Rotate secret (the old one stays valid for 24 hours)
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item c="var(--hf-danger)" leftSection={<Trash2 size={15} aria-hidden />} onClick={askToRemove}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
