import type { Task } from '@holdfast/client/dashboard'
import { Autocomplete, Button, Combobox, Select, SimpleGrid, Stack, TagsInput, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { InlineForm } from '../../components/forms/inline-form.tsx'
import { MoreOptions } from '../../components/forms/more-options.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { DraftRestored, useDraftedForm } from '../../components/forms/drafted-form.tsx'
import { EditConflict } from '../../components/forms/edited-record.tsx'
import { priorityOptions } from '../../components/records/priority-mark.tsx'
import { showErrors } from '../../components/forms/field-errors.ts'
import { useTask } from '../../components/records/use-task.ts'
import { toast } from '../../shell/toasts.tsx'
import { useAssignees } from './assignee-choice.tsx'
import { nameBlocker, statusOptions, titleOfStatus, type TaskStatus } from './task-looks.tsx'
import { changedFields, newFields, valuesOf, type TaskValues } from './task-values.ts'
import { taskReads } from './use-task-mutations.ts'

interface Props extends FieldsProps {
  isOpen: boolean
}

interface FieldsProps {
  onClose: () => void
  vaultId: string
  /** The task to edit; undefined creates one. */
  task?: Task | undefined
  /** The state of a new task. */
  into?: TaskStatus | undefined
  onCreated?: (id: string) => void
}

export const TaskForm = ({ isOpen, onClose, ...rest }: Props) => (
  <FormDialog opened={isOpen} onClose={onClose} title="New task" size="lg" keepsDraft>
    {(close) => <Fields {...rest} onClose={close} />}
  </FormDialog>
)

/** The form in place of the task. */
export const TaskEditor = ({ onClose, ...rest }: FieldsProps) => (
  <InlineForm label="Edit task" onClose={onClose}>
    <Fields {...rest} onClose={onClose} />
  </InlineForm>
)

function Fields({ onClose, vaultId, task, into, onCreated }: FieldsProps) {
  const draft = useDraftedForm({
    name: task === undefined ? `task in ${vaultId}` : `task ${task.taskId}`,
    record: task,
    valuesOf: (one) => valuesOf(one, into),
    validate: {
      title: (title: string) => (title.trim() === '' ? 'Enter a title' : null),
      blockedReason: (reason: string, { status }: TaskValues) =>
        status === 'blocked' && reason.trim() === '' ? 'Enter what the task is waiting for' : null,
    },
    reads: taskReads,
  })
  const { form, base, isOutdated } = draft
  const close = () => {
    draft.drop()
    onClose()
  }
  const add = useAction('create-task', {
    refreshes: taskReads,
    onDone({ taskId, status }) {
      toast(`Created in ${titleOfStatus(status)}: ${form.getValues().title.slice(0, 60)}`)
      close()
      onCreated?.(taskId)
    },
  })
  const edit = useAction('update-task', {
    refreshes: taskReads,
    onDone({ updated }) {
      toast(updated ? 'Saved' : 'No changes to save')
      close()
    },
  })
  const onError = (error: Error) => {
    if (!draft.handleConflict(error)) showErrors(form, error)
  }
  const submit = (values: TaskValues) => {
    if (base === undefined) add.mutate({ vaultId, ...newFields(values) }, { onError })
    else
      edit.mutate(
        { vaultId, taskId: base.taskId, expectedVersion: base.version, ...changedFields(values, base) },
        { onError },
      )
  }
  const isSaving = add.isPending || edit.isPending
  return (
    <form onSubmit={form.onSubmit(submit)} aria-busy={isSaving}>
      <Stack>
        <DraftRestored draft={draft} />
        {isOutdated && base !== undefined && (
          <TaskConflict
            vaultId={vaultId}
            id={base.taskId}
            version={base.version}
            onKeepMine={draft.keepMine}
            onTakeTheirs={draft.takeTheirs}
          />
        )}
        <MainInputs form={form} vaultId={vaultId} />
        {task === undefined ? (
          <MoreOptions
            form={form}
            main={['title', 'description', 'assignedAgentId', 'priority']}
            usual={valuesOf(undefined)}
          >
            <OtherInputs form={form} />
          </MoreOptions>
        ) : (
          <OtherInputs form={form} />
        )}
        <DialogButtons onCancel={close}>
          <Button type="submit" disabled={isOutdated} loading={isSaving}>
            {task === undefined ? 'Create task' : 'Save'}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

interface InputsProps {
  form: UseFormReturnType<TaskValues>
}

function MainInputs({ form, vaultId }: InputsProps & { vaultId: string }) {
  const names = useAssignees(vaultId)
  return (
    <>
      <Textarea label="Title" autosize minRows={1} maxRows={4} data-autofocus {...form.getInputProps('title')} />
      <Textarea
        label="Description (optional)"
        description="You can use Markdown."
        autosize
        minRows={3}
        maxRows={14}
        {...form.getInputProps('description')}
      />
      <SimpleGrid cols={2} spacing="sm">
        <Autocomplete
          label="Assignee"
          placeholder="Unassigned"
          data-default
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          data={['You', ...names]}
          {...form.getInputProps('assignedAgentId')}
          value={form.values.assignedAgentId === 'user' ? 'You' : form.values.assignedAgentId}
          onChange={(name) => form.setFieldValue('assignedAgentId', name === 'You' ? 'user' : name)}
        />
        <Select label="Priority" data={priorityOptions} allowDeselect={false} {...form.getInputProps('priority')} />
      </SimpleGrid>
    </>
  )
}

function OtherInputs({ form }: InputsProps) {
  return (
    <>
      <Textarea
        label="Done when (optional)"
        description="What must be true when the task is done. Agents check it."
        autosize
        minRows={1}
        maxRows={6}
        {...form.getInputProps('doneWhen')}
      />
      <Select label="State" data={statusOptions} allowDeselect={false} {...form.getInputProps('status')} />
      {form.values.status === 'blocked' && (
        <Textarea label="Waiting for" autosize minRows={1} maxRows={6} {...form.getInputProps('blockedReason')} />
      )}
      <TagsInput
        label="Tags"
        description="Words you can filter tasks by. Press Enter after each."
        {...form.getInputProps('entities')}
      />
    </>
  )
}

interface ConflictProps {
  vaultId: string
  id: string
  version: number
  onKeepMine: (newest: Task) => void
  onTakeTheirs: (newest: Task) => void
}

function TaskConflict({ vaultId, id, ...rest }: ConflictProps) {
  const query = useTask(vaultId, id)
  return <EditConflict query={query} read={(task) => task} print={print} {...rest} />
}

const print = ({ title, description, status, doneWhen, blockedReason, blockedBy, assignedAgentId }: Task) =>
  [
    title,
    description,
    `State: ${titleOfStatus(status)}`,
    blockedReason === null ? null : `Waiting for (by ${nameBlocker({ blockedBy })}): ${blockedReason}`,
    doneWhen === null ? null : `Done when: ${doneWhen}`,
    assignedAgentId === null ? null : `Assignee: ${assignedAgentId}`,
  ]
    .filter((line) => line !== null)
    .join('\n')
