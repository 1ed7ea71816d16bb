import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { type MemberRole, memberRoles } from '../../shell/role.ts'

/** The answer is the same whether or not someone has the address, so this says no more than that. */
export function InviteForm({ vaultId }: { vaultId: string }) {
  const form = useForm<{ email: string; role: MemberRole }>({
    initialValues: { email: '', role: 'viewer' },
    validate: { email: (email) => (/^\s*[^\s@]+@[^\s@]+\s*$/.test(email) ? null : 'Enter an email address') },
  })
  const share = useAction('share-vault', {
    refreshes: ['list-vault-members', 'list-vaults'],
    onDone({ email, invited }) {
      toast(invited ? `${email} invited` : `Role of ${email} changed`)
      form.reset()
    },
  })
  const submit = ({ email, role }: { email: string; role: MemberRole }) =>
    share.mutate({ vaultId, email: email.trim(), role }, { onError: (error) => showErrors(form, error) })
  const role = memberRoles.find(({ value }) => value === form.values.role)
  return (
    <form onSubmit={form.onSubmit(submit)} aria-label="Invite">
      <Stack gap="sm">
        <TextInput
          label="Email address"
          description="Of someone with an account on this server. They see the invitation on their Vaults page."
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Select
          label="Role"
          description={role?.may}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={memberRoles.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        <Button type="submit" loading={share.isPending} style={{ alignSelf: 'flex-end' }}>
          Invite
        </Button>
      </Stack>
    </form>
  )
}
