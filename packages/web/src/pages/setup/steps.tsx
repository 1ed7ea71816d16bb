import { Box, Button, Checkbox, Skeleton, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import type { Vault } from '@holdfast/client/dashboard'
import { Import } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useAction, useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { showErrors } from '../../components/forms/field-errors.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { useVaults } from '../../shell/vault.ts'
import { useImportState } from '../transfer/import-state.ts'
import { StepBody, type StepProps } from './step-body.tsx'

export function KeyStep({ onBack, onNext }: StepProps) {
  const system = useOperation('read-system', {})
  const [hasCopy, setHasCopy] = useState(false)
  return (
    <StepBody
      onBack={onBack}
      next={
        <Button variant={hasCopy ? 'filled' : 'default'} onClick={onNext}>
          {hasCopy ? 'Continue' : 'Later'}
        </Button>
      }
    >
      <Text>
        Everything stored here is encrypted. One key decrypts it all, including backups. Save a copy of this file or its
        content somewhere safe, such as a password manager or another disk.
      </Text>
      <Loaded query={system}>
        {({ server }) =>
          server === null ? (
            <Text>The owner of this server has the key.</Text>
          ) : (
            <CodeBlock code={server.rootKeyOrigin} label="Key file on the server" isWrapped />
          )
        }
      </Loaded>
      <Checkbox
        label="I have saved a copy"
        checked={hasCopy}
        onChange={({ currentTarget }) => setHasCopy(currentTarget.checked)}
      />
    </StepBody>
  )
}

export function VaultStep(props: StepProps) {
  const { vault } = useVaults()
  return vault === undefined ? <Skeleton height={200} /> : <NameVault key={vault.id} vault={vault} {...props} />
}

function NameVault({ vault, onBack, onNext }: StepProps & { vault: Vault }) {
  const form = useForm({
    initialValues: { name: vault.name },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name' : null) },
  })
  // An import was previewed but not started: make it harder to skip by accident.
  const isPrepared = useImportState().step === 'preview'
  const update = useAction('update-vault', { refreshes: ['list-vaults'], onDone: onNext })
  const submit = ({ name }: { name: string }) =>
    name === vault.name
      ? onNext()
      : update.mutate({ id: vault.id, name }, { onError: (error) => showErrors(form, error) })
  return (
    <StepBody
      onBack={onBack}
      next={
        <Button type="submit" form="name" variant={isPrepared ? 'default' : 'filled'} loading={update.isPending}>
          {isPrepared ? 'Continue without importing' : 'Continue'}
        </Button>
      }
    >
      <Text>
        A vault is a separately encrypted space. Use one per project, or one for everything. You can create more later.
      </Text>
      <form id="name" onSubmit={form.onSubmit(submit)}>
        <TextInput label="Vault name" autoFocus {...form.getInputProps('name')} />
      </form>
      <ImportExisting vaultId={vault.id} />
    </StepBody>
  )
}

// Loaded on demand: it reads many formats, and few people import during setup.
const ImportPanel = lazy(async () => ({ default: (await import('../transfer/import-panel.tsx')).ImportPanel }))

/** An import continues during the next steps. */
function ImportExisting({ vaultId }: { vaultId: string }) {
  const [isOpen, open] = useDisclosure()
  return (
    <section aria-label="Import from other programs">
      <Button
        variant="default"
        leftSection={<Import size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={open.toggle}
      >
        Import notes or memories
      </Button>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={120} mt="md" />}>
          <Box mt="md">
            <ImportPanel vaultId={vaultId} />
          </Box>
        </Suspense>
      ) : (
        <Text size="sm" c="dimmed" mt="xs">
          For example an Obsidian folder, an AGENTS.md, or an export from another memory service. You can also do this
          later under Import &amp; export.
        </Text>
      )}
    </section>
  )
}
