import type { Vault } from '@holdfast/client/dashboard'
import { Box, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { Import } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { useVaults } from '../../shell/vault.ts'
import { useImportState } from '../transfer/import-state.ts'
import type { StepProps } from './setup-page.tsx'

// Few come with something, and it reads many formats.
const ImportPanel = lazy(async () => ({ default: (await import('../transfer/import-panel.tsx')).ImportPanel }))

export function VaultStep({ onNext }: StepProps) {
  const { vault } = useVaults()
  return (
    <Stack>
      <Text>
        A vault is a space of its own with its own key: one for a project, or one for everything. You can make more
        later.
      </Text>
      {vault !== undefined && (
        <NameForm key={vault.id} vault={vault} onNext={onNext}>
          <BringAlong vaultId={vault.id} />
        </NameForm>
      )}
    </Stack>
  )
}

/** An import goes on while the next steps are taken. */
function BringAlong({ vaultId }: { vaultId: string }) {
  const [isOpen, open] = useDisclosure()
  return (
    <section aria-label="Notes and memories of other programs">
      <Button
        variant="default"
        leftSection={<Import size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={open.toggle}
      >
        Bring notes or memories along
      </Button>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={120} mt="md" />}>
          <Box mt="md">
            <ImportPanel vaultId={vaultId} />
          </Box>
        </Suspense>
      ) : (
        <Text size="sm" c="dimmed" mt="xs">
          An Obsidian folder, an AGENTS.md, an export of another memory service. It can wait: Import &amp; export, or{' '}
          <code>npm run -s holdfast -- import</code>.
        </Text>
      )}
    </section>
  )
}

interface FormProps extends StepProps {
  vault: Vault
  /** Between the name and the way on. */
  children: ReactNode
}

function NameForm({ vault, onNext, children }: FormProps) {
  const form = useForm({
    initialValues: { name: vault.name },
    validate: { name: (name) => (name.trim() === '' ? 'A name' : null) },
  })
  // What was looked at and not imported is not to be forgotten by a press of the greater button.
  const isPrepared = useImportState().step === 'looked'
  const update = useAction('update-vault', { refreshes: ['browse-vaults'], onDone: onNext })
  const submit = ({ name }: { name: string }) =>
    name === vault.name
      ? onNext()
      : update.mutate({ id: vault.id, name }, { onError: (error) => showErrors(form, error) })
  return (
    <>
      <form id="name" onSubmit={form.onSubmit(submit)}>
        <TextInput label="Name of the vault" autoFocus {...form.getInputProps('name')} />
      </form>
      {children}
      <Group justify="flex-end">
        <Button type="submit" form="name" variant={isPrepared ? 'default' : 'filled'} loading={update.isPending}>
          {isPrepared ? 'Continue without importing' : 'Continue'}
        </Button>
      </Group>
    </>
  )
}
