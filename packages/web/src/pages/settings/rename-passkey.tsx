import type { Passkey } from '@holdfast/client/dashboard'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'

interface Props {
  passkey: Passkey
  onClose: () => void
}

export function RenamePasskey({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={props.onClose} title="Rename passkey">
      <NameForm {...props} />
    </Modal>
  )
}

function NameForm({ passkey: { id, name }, onClose }: Props) {
  const form = useForm({
    initialValues: { name },
    validate: { name: (value) => (value.trim() === '' ? 'Enter a name' : null) },
  })
  const rename = useAction('rename-passkey', {
    refreshes: ['list-passkeys'],
    onDone({ passkey }) {
      toast(`Passkey renamed to ${passkey.name}`)
      onClose()
    },
  })
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        rename.mutate({ id, name: values.name.trim() }, { onError: (error) => showErrors(form, error) }),
      )}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Used only on this page. The name on your device doesn’t change."
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
