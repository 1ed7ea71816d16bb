import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'

export function NameForm({ name }: { name: string | null }) {
  const form = useForm({ initialValues: { name: name ?? '' } })
  const save = useAction('update-user', {
    refreshes: ['session'],
    onDone({ user }) {
      form.setInitialValues({ name: user.name ?? '' })
      form.reset()
      toast(user.name === null ? 'Name removed' : `Name changed to ${user.name}`)
    },
  })
  return (
    <form
      aria-label="Change name"
      onSubmit={form.onSubmit((values) =>
        save.mutate({ name: values.name.trim() || null }, { onError: (error) => showErrors(form, error) }),
      )}
    >
      <Stack maw={400}>
        <TextInput
          label="Name"
          description="Shown in the dashboard. If empty, your email is shown."
          autoComplete="name"
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <div>
          <Button type="submit" variant="default" loading={save.isPending} disabled={!form.isDirty()}>
            Save name
          </Button>
        </div>
      </Stack>
    </form>
  )
}
