import type { Vault } from '@holdfast/client/dashboard'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/field-errors.ts'
import { useVaults } from '../../shell/vault.ts'
import type { StepProps } from './setup-page.tsx'

export function VaultStep({ onNext }: StepProps) {
  const { vault } = useVaults()
  return (
    <Stack>
      <Text>
        A vault is a space of its own with its own key: one for a project, or one for everything. You can make more
        later.
      </Text>
      {vault !== undefined && <NameForm key={vault.id} vault={vault} onNext={onNext} />}
    </Stack>
  )
}

function NameForm({ vault, onNext }: StepProps & { vault: Vault }) {
  const form = useForm({
    initialValues: { name: vault.name },
    validate: { name: (name) => (name.trim() === '' ? 'A name' : null) },
  })
  const update = useAction('update-vault', { refreshes: ['browse-vaults'], onDone: onNext })
  const submit = ({ name }: { name: string }) =>
    name === vault.name
      ? onNext()
      : update.mutate({ id: vault.id, name }, { onError: (error) => showErrors(form, error) })
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <TextInput label="Name of the vault" autoFocus {...form.getInputProps('name')} />
      <Text size="sm" c="dimmed" mt="md">
        Notes or memories of another program come in with <code>npm run -s holdfast -- import</code>, which looks first
        with <code>--dry-run</code>.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button type="submit" loading={update.isPending}>
          Continue
        </Button>
      </Group>
    </form>
  )
}
