import type { CreateWebhookInput, Webhook } from '@holdfast/client/dashboard'
import { Button, Checkbox, MultiSelect, Select, Stack, Text, TextInput, type CheckboxGroupProps } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useId, useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { MoreOptions } from '../../components/forms/more-options.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { useVaults } from '../../shell/vault.ts'
import { typeOptions } from '../../components/records/memory-marks.tsx'
import { eventGroups, type EventName } from './event-names.ts'
import classes from './webhook-form.module.css'

interface Props {
  isOpen: boolean
  onClose: () => void
  onCreated: (created: { id: string; secret: string }) => void
  /** The webhook to edit; undefined creates one. */
  webhook?: Webhook
}

type Filters = NonNullable<CreateWebhookInput['filters']>
type Category = NonNullable<Filters['category']>[number]
type MemoryType = NonNullable<Filters['memoryTypes']>[number]

const categories: readonly Category[] = ['directive', 'question', 'info', 'task', 'alert']

/** Tasks have events of their own. */
const memoryOptions = typeOptions.filter(({ value }) => value !== 'task')

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
  memoryTypes: string[]
  minPriority: string
}

const valuesOf = (webhook: Webhook | undefined): Values => ({
  url: webhook?.url ?? '',
  events: webhook?.events ?? ['message.created'],
  vaultId: webhook?.vaultId ?? '',
  category: webhook?.filters?.category ?? [],
  memoryTypes: webhook?.filters?.memoryTypes ?? [],
  minPriority: String(webhook?.filters?.priority_gte ?? 1),
})

function Fields({
  onClose,
  onCreated,
  webhook: newest,
}: Omit<Props, 'isOpen' | 'webhook'> & { webhook: Webhook | undefined }) {
  // The webhook as it was when the form opened, so a change by someone else leads to a conflict instead of being overwritten.
  const [webhook] = useState(newest)
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
    waitsForRefresh: true,
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
        <EventFields {...form.getInputProps('events')} />
        {webhook === undefined ? (
          <MoreOptions form={form} main={['url', 'events']} usual={valuesOf(undefined)}>
            <OtherFields form={form} />
          </MoreOptions>
        ) : (
          <OtherFields form={form} />
        )}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {webhook === undefined ? 'Create webhook' : 'Save'}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

/** The vault, and filters for the kinds of events that are chosen. */
function OtherFields({ form }: { form: UseFormReturnType<Values> }) {
  const { own: vaults } = useVaults()
  const { events, category, memoryTypes } = form.values
  const includes = (kind: string) => events.some((event) => event.startsWith(kind))
  return (
    <>
      <Select
        label="Vault"
        data={[{ value: '', label: 'All vaults' }, ...vaults.map(({ id, name }) => ({ value: id, label: name }))]}
        allowDeselect={false}
        {...form.getInputProps('vaultId')}
      />
      {includes('message.') && (
        <>
          <MultiSelect
            label="Message categories"
            placeholder={category.length === 0 ? 'All categories' : ''}
            data={categories}
            {...form.getInputProps('category')}
          />
          <Select
            label="Message priority"
            data={priorities}
            allowDeselect={false}
            {...form.getInputProps('minPriority')}
          />
        </>
      )}
      {includes('memory.') && (
        <MultiSelect
          label="Memory types"
          placeholder={memoryTypes.length === 0 ? 'All types' : ''}
          data={memoryOptions}
          {...form.getInputProps('memoryTypes')}
        />
      )}
    </>
  )
}

/** Grouped by what they are about, each group with its own name, because several have an event with the same label. */
function EventFields(props: Omit<CheckboxGroupProps, 'children'>) {
  const id = useId()
  return (
    <Checkbox.Group label="Events" {...props}>
      <div className={classes.events}>
        {eventGroups.map(({ label, events }) => (
          <div key={label} role="group" aria-labelledby={`${id}-${label}`} className={classes.group}>
            <Text id={`${id}-${label}`} size="sm" c="dimmed">
              {label}
            </Text>
            <div className={classes.choices}>
              {events.map((event) => (
                <Checkbox key={event.value} value={event.value} label={event.label} />
              ))}
            </div>
          </div>
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** Keeps a filter by recipient, which this form doesn't show. */
function filtersOf({ category, memoryTypes, minPriority }: Values, webhook: Webhook | undefined): Filters | undefined {
  const targetId = webhook?.filters?.targetId
  const filters: Filters = {
    ...(category.length > 0 && { category: category as Category[] }),
    ...(memoryTypes.length > 0 && { memoryTypes: memoryTypes as MemoryType[] }),
    ...(minPriority !== '1' && { priority_gte: Number(minPriority) }),
    ...(targetId !== undefined && { targetId }),
  }
  return Object.keys(filters).length === 0 ? undefined : filters
}
