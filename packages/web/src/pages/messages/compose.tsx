import type { Task } from '@holdfast/client/dashboard'
import {
  Autocomplete,
  Button,
  Chip,
  Group,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { Eye, Send } from 'lucide-react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { MoreOptions } from '../../components/forms/more-options.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { useAgentNames } from '../../components/records/agent-names.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { priorityOptions } from '../../components/records/priority-mark.tsx'
import { useTask } from '../../components/records/use-task.ts'
import { toast } from '../../shell/toasts.tsx'
import { AgentView, type Drafted } from './agent-view.tsx'
import { everyone, nameOfTarget } from './message-looks.tsx'
import { categoryOptions, type Category } from './message-marks.tsx'
import classes from './inbox.module.css'
import { messageTemplates, findPlaceholders } from './message-templates.ts'
import { messageReads } from './use-acknowledge.ts'
import { useVaults } from '../../shell/vault.ts'
import { DraftRestored, useDraftedForm } from '../../components/forms/drafted-form.tsx'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** The recipient, or empty. */
  to: string
  /** Id of the task that the message is about, or empty. */
  taskId: string
  onSent: (threadId: string) => void
}

/**
 * Writes a message to one agent or all agents of a vault, with a preview of what they see. Only owners can send messages in a vault, so in
 * someone else's, it is for the agents of the person's default vault.
 */
export function Compose({ isOpen, onClose, taskId, ...rest }: Props) {
  const { vault: shown, own } = useVaults()
  const current = own.find(({ id }) => id === shown?.id)
  const vault = current ?? own[0]
  const isElsewhere = current === undefined
  return (
    // Opens once there is a field to focus.
    <FormDialog opened={isOpen && vault !== undefined} onClose={onClose} title="New message" size={640} keepsDraft>
      {(close) =>
        vault === undefined ? null : taskId === '' ? (
          <Fields key={vault.id} vault={vault} isElsewhere={isElsewhere} onClose={close} {...rest} />
        ) : (
          <AboutTask key={vault.id} vault={vault} isElsewhere={isElsewhere} taskId={taskId} onClose={close} {...rest} />
        )
      }
    </FormDialog>
  )
}

type FieldsProps = Pick<Props, 'onClose' | 'to' | 'onSent'> & {
  vault: { id: string; name: string }
  /** The page shows another vault, which is someone else's. */
  isElsewhere: boolean
  task?: Task
}

function AboutTask({ taskId, ...rest }: FieldsProps & { taskId: string }) {
  const found = useTask(rest.vault.id, taskId)
  return <Loaded query={found}>{(task) => <Fields task={task} {...rest} />}</Loaded>
}

interface Values {
  toAll: boolean
  targetId: string
  template: string
  subject: string
  category: Category
  priority: string
  expiresInDays: string
  content: string
}

function Fields({ vault, isElsewhere, to, task, onClose, onSent }: FieldsProps) {
  const written = useDraftedForm({
    name: `message in ${vault.id} to ${to} about ${task?.taskId ?? ''}`,
    record: undefined,
    valuesOf: () => firstValues(to, task),
    validate: {
      targetId: (name: string, { toAll }: Values) => (!toAll && name.trim() === '' ? 'Choose an agent' : null),
      content: (content: string) => {
        const open = findPlaceholders(content)
        if (open.length > 0) return `Fill in: ${open.join(', ')}`
        return content.trim() === '' ? 'Enter a message' : null
      },
    },
  })
  const { form } = written
  const [isShown, shown] = useDisclosure()
  const close = () => {
    written.drop()
    onClose()
  }
  const send = useAction('send-message', {
    refreshes: messageReads,
    onDone({ targetId, threadId }) {
      toast(`Sent to ${nameOfTarget(targetId)}${isElsewhere ? ` in your vault ${vault.name}` : ''}`)
      close()
      onSent(threadId)
    },
  })
  const { values } = form
  const draft = draftOf(values)
  const submit = () => {
    const { template } = messageTemplates.find(({ name }) => name === values.template) ?? {}
    const subject = draft.subject ?? undefined
    send.mutate(
      { vaultId: vault.id, ...draft, subject, template, expiresInDays: Number(values.expiresInDays) },
      { onError: (error) => showErrors(form, error) },
    )
  }
  return (
    <form onSubmit={form.onSubmit(submit)} aria-busy={send.isPending}>
      <Stack gap="lg">
        <DraftRestored draft={written} />
        <MainInputs form={form} vault={vault} isElsewhere={isElsewhere} isTo={to !== ''} />
        <MoreOptions form={form} main={['toAll', 'targetId', 'template', 'content']} usual={firstValues(to, undefined)}>
          <OtherInputs form={form} />
        </MoreOptions>
        {isShown ? (
          <AgentView draft={draft} vaultName={vault.name} />
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            ml={-8}
            style={{ alignSelf: 'flex-start' }}
            leftSection={<Eye size={15} aria-hidden />}
            onClick={shown.open}
          >
            Show what the agent sees
          </Button>
        )}
        <DialogButtons onCancel={close}>
          <Button type="submit" leftSection={<Send size={15} aria-hidden />} loading={send.isPending}>
            Send
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

const firstValues = (to: string, task: Task | undefined): Values => ({
  toAll: to === everyone,
  targetId: to === everyone ? '' : to,
  template: '',
  subject: task === undefined ? '' : task.title.slice(0, 200),
  category: task === undefined ? 'info' : 'task',
  priority: String(task?.priority ?? 3),
  expiresInDays: '30',
  content: task === undefined ? '' : `About the task “${task.title.slice(0, 200)}” (id ${task.taskId}):\n\n`,
})

function draftOf({ toAll, targetId, subject, category, priority, content }: Values): Drafted {
  return {
    targetId: toAll ? everyone : targetId.trim(),
    subject: subject.trim() === '' ? null : subject.trim(),
    category,
    priority: Number(priority),
    content,
  }
}

const lifetimes = [
  { value: '1', label: 'After a day' },
  { value: '7', label: 'After a week' },
  { value: '30', label: 'After 30 days' },
  { value: '365', label: 'After a year' },
]

interface InputsProps extends Pick<FieldsProps, 'vault' | 'isElsewhere'> {
  form: UseFormReturnType<Values>
  /** Whether the recipient is known, so that the person starts with the message. */
  isTo: boolean
}

function MainInputs({ form, vault, isElsewhere, isTo }: InputsProps) {
  const names = useAgentNames(vault.id)
  const { toAll, template } = form.values
  const applyTemplate = (name: string) => {
    const chosen = messageTemplates.find((each) => each.name === name)
    if (chosen === undefined) return
    const { subject, category, priority, content } = chosen
    form.setValues({ template: name, subject, category, priority: String(priority), content })
    form.clearErrors()
  }
  return (
    <Stack gap="sm">
      <Input.Wrapper
        label="To"
        labelElement="div"
        labelProps={{ mb: 6 }}
        description={
          isElsewhere
            ? `The message goes to your vault ${vault.name}. Members of a shared vault can’t send messages in it.`
            : `Agents that use the vault ${vault.name}`
        }
        descriptionProps={{ mb: 6 }}
      >
        <SegmentedControl
          fullWidth
          aria-label="To"
          value={toAll ? 'all' : 'one'}
          onChange={(value) => form.setFieldValue('toAll', value === 'all')}
          data={[
            { value: 'one', label: 'One agent' },
            { value: 'all', label: 'All agents in the vault' },
          ]}
        />
      </Input.Wrapper>
      {!toAll && (
        <Autocomplete
          aria-label="Agent"
          placeholder="Agent name"
          openOnFocus={false}
          data={names}
          maxLength={200}
          data-autofocus={!isTo || undefined}
          {...form.getInputProps('targetId')}
        />
      )}
      <Input.Wrapper label="Template" labelElement="div" labelProps={{ mb: 6 }}>
        <Chip.Group value={template} onChange={applyTemplate}>
          <Group gap={6} role="group" aria-label="Templates">
            {messageTemplates.map(({ name }) => (
              <Chip key={name} value={name} size="sm" variant="outline">
                {name}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <Textarea
        label="Message"
        autosize
        minRows={5}
        maxRows={14}
        maxLength={10_240}
        data-autofocus={isTo || undefined}
        {...form.getInputProps('content')}
      />
    </Stack>
  )
}

function OtherInputs({ form }: Pick<InputsProps, 'form'>) {
  return (
    <Stack gap="sm">
      <TextInput label="Subject (optional)" maxLength={200} {...form.getInputProps('subject')} />
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm">
        <Select label="Category" data={categoryOptions} allowDeselect={false} {...form.getInputProps('category')} />
        <Select label="Priority" data={priorityOptions} allowDeselect={false} {...form.getInputProps('priority')} />
        <Select
          label="Expires"
          className={classes.wide}
          data={lifetimes}
          allowDeselect={false}
          {...form.getInputProps('expiresInDays')}
        />
      </SimpleGrid>
    </Stack>
  )
}
