import type { Memory } from '@holdfast/client/dashboard'
import { Button, Select, SimpleGrid, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { FormDialog } from '../forms/form-dialog.tsx'
import { InlineForm } from '../forms/inline-form.tsx'
import { MoreOptions } from '../forms/more-options.tsx'
import { DialogButtons } from '../feedback/dialog-buttons.tsx'
import { useAction, useOne } from '../../api/queries.ts'
import { DraftRestored, useDraftedForm } from '../forms/drafted-form.tsx'
import { EditConflict, changesBetween } from '../forms/edited-record.tsx'
import { showErrors } from '../forms/field-errors.ts'
import { titleOfType, typeOptions, type MemoryType } from './memory-marks.tsx'
import { ratingOptions } from './rating-dots.tsx'
import { formatMoment } from '../text/time-text.ts'
import { toast } from '../../shell/toasts.tsx'
import { memoryReads } from './use-memory-actions.ts'

interface Props extends FieldsProps {
  isOpen: boolean
}

interface FieldsProps {
  onClose: () => void
  vaultId: string
  /** The memory to edit. Without it, the form creates one. */
  memory?: Memory | undefined
  onWritten?: (id: string) => void
}

export function MemoryForm({ isOpen, onClose, ...rest }: Props) {
  const title = rest.memory === undefined ? 'New memory' : 'Edit memory'
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={title} size="lg" keepsDraft>
      {(close) => <Fields {...rest} onClose={close} />}
    </FormDialog>
  )
}

/** The form in place of the memory. */
export const MemoryEditor = ({ onClose, ...rest }: FieldsProps) => (
  <InlineForm label="Edit memory" onClose={onClose}>
    <Fields {...rest} onClose={onClose} />
  </InlineForm>
)

function Fields({ onClose, vaultId, memory, onWritten }: FieldsProps) {
  const draft = useDraftedForm({
    name: memory === undefined ? `memory in ${vaultId}` : `memory ${memory.id}`,
    record: memory,
    valuesOf,
    validate: { content: (content: string) => (content.trim() === '' ? 'Enter what to remember' : null) },
    reads: memoryReads,
  })
  const { form, base, isOutdated } = draft
  const close = () => {
    draft.drop()
    onClose()
  }
  const add = useAction('write-memory', {
    refreshes: memoryReads,
    onDone({ memoryId }) {
      toast('Memory created')
      close()
      onWritten?.(memoryId)
    },
  })
  const edit = useAction('update-memory', {
    refreshes: memoryReads,
    onDone({ updated }) {
      toast(updated ? 'Saved' : 'No changes to save')
      close()
    },
  })
  const onError = (error: Error) => {
    if (!draft.handleConflict(error)) showErrors(form, error)
  }
  const submit = (values: MemoryValues) => {
    if (base === undefined) add.mutate({ vaultId, ...newFields(values) }, { onError })
    else
      edit.mutate(
        { vaultId, memoryId: base.id, expectedVersion: base.version, ...changedFields(values, base) },
        { onError },
      )
  }
  const isSaving = add.isPending || edit.isPending
  return (
    <form onSubmit={form.onSubmit(submit)} aria-busy={isSaving}>
      <Stack>
        <DraftRestored draft={draft} />
        {isOutdated && base !== undefined && (
          <MemoryConflict
            vaultId={vaultId}
            id={base.id}
            version={base.version}
            onKeepMine={draft.keepMine}
            onTakeTheirs={draft.takeTheirs}
          />
        )}
        <MainInputs form={form} />
        {memory === undefined ? (
          <MoreOptions form={form} main={['content', 'memoryType']} usual={valuesOf(undefined)}>
            <OtherInputs form={form} />
          </MoreOptions>
        ) : (
          <OtherInputs form={form} />
        )}
        <DialogButtons onCancel={close}>
          <Button type="submit" disabled={isOutdated} loading={isSaving}>
            {memory === undefined ? 'Create memory' : 'Save'}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

interface ConflictProps {
  vaultId: string
  id: string
  version: number
  onKeepMine: (newest: Memory) => void
  onTakeTheirs: (newest: Memory) => void
}

function MemoryConflict({ vaultId, id, ...rest }: ConflictProps) {
  const query = useOne('list-memories', { vaultId, id })
  return <EditConflict query={query} read={({ memory }) => memory} print={print} {...rest} />
}

const print = ({ content, summary, memoryType, importance, confidence, entities, expiresAt }: Memory) =>
  [
    content,
    summary === null ? null : `Summary: ${summary}`,
    `Type: ${titleOfType(memoryType)}, importance ${importance}, confidence ${confidence}`,
    entities.length === 0 ? null : `Entities: ${entities.join(', ')}`,
    expiresAt === null ? null : `Expires: ${formatMoment(expiresAt)}`,
  ]
    .filter((line) => line !== null)
    .join('\n')

interface InputsProps {
  form: UseFormReturnType<MemoryValues>
}

/** When to choose each type. */
const typeUses: Readonly<Record<MemoryType, string>> = {
  fact: 'Something that is true',
  preference: 'How you like things done',
  constraint: 'A rule agents must keep',
  skill: 'How to do something',
  correction: 'What was wrong, and what is right',
  episodic: 'What happened, and when',
  task: 'Something to do',
}

function MainInputs({ form }: InputsProps) {
  return (
    <>
      <Textarea
        label="What to remember"
        description="You can use Markdown."
        autosize
        minRows={6}
        maxRows={16}
        data-autofocus
        {...form.getInputProps('content')}
      />
      <Select
        label="Type"
        data={typeOptions}
        allowDeselect={false}
        renderOption={({ option: { value, label } }) => (
          <div>
            {label}
            <Text size="xs" c="dimmed">
              {typeUses[value as MemoryType]}
            </Text>
          </div>
        )}
        {...form.getInputProps('memoryType')}
      />
    </>
  )
}

function OtherInputs({ form }: InputsProps) {
  return (
    <>
      <TextInput
        label="Summary (optional)"
        description="Lists show it instead of the first line."
        {...form.getInputProps('summary')}
      />
      <SimpleGrid cols={2} spacing="sm">
        <Select
          label="Importance"
          data={ratingOptions('Importance')}
          allowDeselect={false}
          {...form.getInputProps('importance')}
        />
        <Select
          label="Confidence"
          data={ratingOptions('Confidence')}
          allowDeselect={false}
          {...form.getInputProps('confidence')}
        />
      </SimpleGrid>
      <TagsInput
        label="Entities"
        description="People, things and topics this is about. Press Enter after each."
        {...form.getInputProps('entities')}
      />
      <ExpiryInputs form={form} />
    </>
  )
}

const expiries = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: 'date', label: 'On a date' },
]

/** Most expiries are a span from now. The date that it leads to can be changed. */
function ExpiryInputs({ form }: InputsProps) {
  const [isDated, setDated] = useState(false)
  const isShown = isDated || form.values.expiresAt !== ''
  const choose = (choice: string | null) => {
    const days = Number(choice)
    setDated(choice !== 'never')
    if (choice === 'never') form.setFieldValue('expiresAt', '')
    else if (days > 0) form.setFieldValue('expiresAt', localTime(new Date(Date.now() + days * dayMs).toISOString()))
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: isShown ? 2 : 1 }} spacing="sm">
      <Select
        label="Expires"
        description="Searches stop finding it after this date."
        // Below, so both fields of the row are level.
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={expiries}
        allowDeselect={false}
        value={isShown ? 'date' : 'never'}
        onChange={choose}
      />
      {isShown && <TextInput type="datetime-local" label="Expiry date" {...form.getInputProps('expiresAt')} />}
    </SimpleGrid>
  )
}

const dayMs = 86_400_000

interface MemoryValues {
  content: string
  summary: string
  memoryType: MemoryType
  importance: string
  confidence: string
  entities: string[]
  /** In the format of `datetime-local`: local time without seconds. Empty: never. */
  expiresAt: string
}

const valuesOf = (memory: Memory | undefined): MemoryValues => ({
  content: memory?.content ?? '',
  summary: memory?.summary ?? '',
  memoryType: memory?.memoryType ?? 'fact',
  importance: String(memory?.importance ?? 3),
  confidence: String(memory?.confidence ?? 3),
  entities: memory?.entities ?? [],
  expiresAt: memory?.expiresAt == null ? '' : localTime(memory.expiresAt),
})

function newFields({ content, summary, memoryType, importance, confidence, entities, expiresAt }: MemoryValues) {
  return {
    content,
    summary: summary.trim() === '' ? undefined : summary.trim(),
    memoryType,
    importance: Number(importance),
    confidence: Number(confidence),
    entities,
    expiresAt: expiresAt === '' ? undefined : new Date(expiresAt).toISOString(),
  }
}

/** Only the changed fields, so that an edit overwrites nothing else. */
function changedFields(values: MemoryValues, memory: Memory) {
  const changed = changesBetween(valuesOf(memory), values)
  const fields = {
    ...newFields(values),
    summary: values.summary.trim(),
    expiresAt: newFields(values).expiresAt ?? null,
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in changed)) as Partial<typeof fields>
}

function localTime(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
