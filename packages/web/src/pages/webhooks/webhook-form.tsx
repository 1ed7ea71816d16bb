import type { CreateWebhookInput, Webhook } from '@holdfast/client/dashboard'
import { Button, Checkbox, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { useVaults } from '../../shell/vault.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  onCreated: (created: { id: string; secret: string }) => void
  /** The webhook to edit; undefined creates one. */
  webhook?: Webhook
}

type EventName = CreateWebhookInput['events'][number]
type Filters = NonNullable<CreateWebhookInput['filters']>
type Category = NonNullable<Filters['category']>[number]

const events: readonly { value: EventName; label: string }[] = [
  { value: 'message.created', label: 'A message was sent' },
  { value: 'message.acknowledged', label: 'A message was acknowledged' },
]

const categories: readonly Category[] = ['directive', 'question', 'info', 'task', 'alert']

const priorities = [
  { value: '1', label: 'Any' },
  { value: '2', label: '2 and above' },
  { value: '3', label: '3 and above' },
  { value: '4', label: '4 and above' },
  { value: '5', label: 'Only 5' },
]

export function WebhookForm({ isOpen, onClose, onCreated, webhook }: Props) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={webhook === undefined ? 'New webhook' : 'Edit webhook'}>
      {(close) => <Fields onClose={close} onCreated={onCreated} webhook={webhook} />}
    </FormDialog>
  )
}

interface Values {
  url: string
  events: string[]
  vaultId: string
  category: string[]
  minPriority: string
}

const valuesOf = (webhook: Webhook | undefined): Values => ({
  url: webhook?.url ?? '',
  events: webhook?.events ?? ['message.created'],
  vaultId: webhook?.vaultId ?? '',
  category: webhook?.filters?.category ?? [],
  minPriority: String(webhook?.filters?.priority_gte ?? 1),
})

function Fields({
  onClose,
  onCreated,
  webhook: newest,
}: Omit<Props, 'isOpen' | 'webhook'> & { webhook: Webhook | undefined }) {
  // The webhook as it was when the form opened, so a change by someone else leads to a conflict instead of being overwritten.
  const [webhook] = useState(newest)
  const { vaults } = useVaults()
  const form = useForm({
    initialValues: valuesOf(webhook),
    validate: {
      url: (url) => (/^https?:\/\/./.test(url) ? null : 'Enter a URL that starts with https://'),
      events: (chosen) => (chosen.length === 0 ? 'Choose at least one event' : null),
    },
  })
  const refreshes = ['list-webhooks'] as const
  const create = useAction('create-webhook', {
    refreshes,
    onDone({ webhook: created }) {
      onClose()
      onCreated({ id: created.id, secret: created.secret })
    },
  })
  const update = useAction('update-webhook', {
    refreshes,
    onDone() {
      toast('Saved')
      onClose()
    },
  })
  const submit = (values: Values) => {
    const onError = (error: Error) => showErrors(form, error)
    const wanted = { url: values.url, events: values.events as EventName[] }
    const filters = filtersOf(values, webhook)
    if (webhook === undefined)
      create.mutate({ ...wanted, filters, vaultId: values.vaultId === '' ? undefined : values.vaultId }, { onError })
    else
      update.mutate(
        {
          id: webhook.id,
          expectedVersion: webhook.version,
          ...wanted,
          filters: filters ?? null,
          vaultId: values.vaultId === '' ? null : values.vaultId,
        },
        { onError },
      )
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label="URL"
          placeholder="https://example.org/hooks/holdfast"
          data-autofocus
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label="Events" {...form.getInputProps('events')}>
          <Stack gap="xs" mt={6}>
            {events.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Vault"
          data={[{ value: '', label: 'All vaults' }, ...vaults.map(({ id, name }) => ({ value: id, label: name }))]}
          allowDeselect={false}
          {...form.getInputProps('vaultId')}
        />
        <MultiSelect
          label="Categories"
          placeholder={form.values.category.length === 0 ? 'All categories' : ''}
          data={categories}
          {...form.getInputProps('category')}
        />
        <Select label="Priority" data={priorities} allowDeselect={false} {...form.getInputProps('minPriority')} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {webhook === undefined ? 'Create webhook' : 'Save'}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

/** Keeps a filter by recipient, which this form doesn't show. */
function filtersOf({ category, minPriority }: Values, webhook: Webhook | undefined): Filters | undefined {
  const targetId = webhook?.filters?.targetId
  const filters: Filters = {
    ...(category.length > 0 && { category: category as Category[] }),
    ...(minPriority !== '1' && { priority_gte: Number(minPriority) }),
    ...(targetId !== undefined && { targetId }),
  }
  return Object.keys(filters).length === 0 ? undefined : filters
}
