import type { Memory } from '@holdfast/client/dashboard'
import { Button, Group, Modal, Select, SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useAction, useOne } from '../../api/queries.ts'
import { EditConflict } from '../forms/edit-conflict.tsx'
import { showErrors } from '../forms/field-errors.ts'
import { titleOfType, typeOptions } from './memory-types.tsx'
import { ratingOptions } from './rating-dots.tsx'
import { formatMoment } from '../text/time-text.ts'
import { toast } from '../../shell/toasts.tsx'
import { changedFields, newFields, valuesOf, type MemoryValues } from './memory-values.ts'
import { useEditedRecord } from '../forms/use-edited-record.ts'
import { memoryReads } from './use-memory-actions.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  vaultId: string
  /** Changed instead of written. */
  memory?: Memory | undefined
  onWritten?: (id: string) => void
}

export function MemoryForm({ isOpen, onClose, ...rest }: Props) {
  const title = rest.memory === undefined ? 'New memory' : 'Edit memory'
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <Fields onClose={onClose} {...rest} />
    </Modal>
  )
}

function Fields({ onClose, vaultId, memory, onWritten }: Omit<Props, 'isOpen'>) {
  const form = useForm<MemoryValues>({
    initialValues: valuesOf(memory),
    validate: { content: (content) => (content.trim() === '' ? 'What is to be remembered' : null) },
  })
  const edited = useEditedRecord({ record: memory, form, valuesOf, reads: memoryReads })
  const { base, isOutdated } = edited
  const add = useAction('add-memory', {
    refreshes: memoryReads,
    onDone({ memory: made }) {
      toast('Remembered')
      onClose()
      onWritten?.(made.id)
    },
  })
  const edit = useAction('edit-memory', {
    refreshes: memoryReads,
    onDone({ updated }) {
      toast(updated ? 'Saved' : 'Nothing was to change')
      onClose()
    },
  })
  const onError = (error: Error) => {
    if (!edited.isLate(error)) showErrors(form, error)
  }
  const submit = (values: MemoryValues) => {
    if (base === undefined) add.mutate({ vaultId, ...newFields(values) }, { onError })
    else
      edit.mutate({ vaultId, id: base.id, expectedVersion: base.version, ...changedFields(values, base) }, { onError })
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {isOutdated && base !== undefined && (
          <MemoryConflict
            vaultId={vaultId}
            id={base.id}
            version={base.version}
            onKeepMine={edited.keepMine}
            onTakeTheirs={edited.takeTheirs}
          />
        )}
        <Inputs form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={isOutdated} loading={add.isPending || edit.isPending}>
            {memory === undefined ? 'Remember' : 'Save'}
          </Button>
        </Group>
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
  const query = useOne('browse-memories', { vaultId, id })
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

function Inputs({ form }: { form: UseFormReturnType<MemoryValues> }) {
  return (
    <>
      <Textarea
        label="What to remember"
        description="Markdown is shown as such."
        autosize
        minRows={4}
        maxRows={16}
        data-autofocus
        {...form.getInputProps('content')}
      />
      <TextInput
        label="Summary (optional)"
        description="What lists show in place of the first line."
        {...form.getInputProps('summary')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select label="Type" data={typeOptions} allowDeselect={false} {...form.getInputProps('memoryType')} />
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
        description="Whom or what it is about; Enter ends each."
        {...form.getInputProps('entities')}
      />
      <TextInput
        type="datetime-local"
        label="Expires (optional)"
        description="From then on it is not found any more."
        maw={260}
        {...form.getInputProps('expiresAt')}
      />
    </>
  )
}
