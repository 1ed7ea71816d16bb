import type { Memory } from '@holdfast/client/dashboard'
import { Button, Group, Modal, Select, SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useAction, useOne } from '../api/queries.ts'
import { EditConflict } from './edit-conflict.tsx'
import { showErrors } from './field-errors.ts'
import { typeOptions } from './memory-types.tsx'
import { ratingOptions } from './rating-dots.tsx'
import { toast } from '../shell/toasts.tsx'
import { changedFields, newFields, valuesOf, type MemoryValues } from './memory-values.ts'
import { useEditedVersion } from './use-edited-version.ts'
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
  // What is edited: once somebody else was faster, the newer one, if this one is to replace it.
  const { version, isOutdated, isLate, take } = useEditedVersion(memory?.version, memoryReads)
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
    if (!isLate(error)) showErrors(form, error)
  }
  const submit = (values: MemoryValues) => {
    if (memory === undefined) add.mutate({ vaultId, ...newFields(values) }, { onError })
    else
      edit.mutate({ vaultId, id: memory.id, expectedVersion: version, ...changedFields(values, memory) }, { onError })
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {isOutdated && memory !== undefined && version !== undefined && (
          <MemoryConflict
            vaultId={vaultId}
            id={memory.id}
            version={version}
            onKeepMine={take}
            onTakeTheirs={(newest) => {
              form.setValues(valuesOf(newest))
              take(newest)
            }}
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
  return <EditConflict query={query} read={({ memory }) => memory} print={({ content }) => content} {...rest} />
}

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
