import { Button, Checkbox, Group, Stack, Text, Box, Skeleton, TextInput, Alert, Loader } from '@mantine/core'
import { useState, lazy, Suspense, type ReactNode } from 'react'
import { useOperation, useAction, usePage } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { EmbeddingsState } from '../../components/feedback/state-badge.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import type { Vault } from '@holdfast/client/dashboard'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { Import, CircleCheck } from 'lucide-react'
import { showErrors } from '../../components/forms/field-errors.ts'
import { useVaults } from '../../shell/vault.ts'
import { useImportState } from '../transfer/import-state.ts'
import { ownCode } from '../../components/connect/client-guide.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { holdfast } from '../../command-line.ts'

export interface StepProps {
  onNext: () => void
}

export function KeyStep({ onNext }: StepProps) {
  const system = useOperation('read-system', {})
  const [hasCopy, setHasCopy] = useState(false)
  return (
    <Stack>
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
      <Group justify="flex-end">
        <Button variant={hasCopy ? 'filled' : 'default'} onClick={onNext}>
          {hasCopy ? 'Continue' : 'Later'}
        </Button>
      </Group>
    </Stack>
  )
}

export function SearchStep({ onNext }: StepProps) {
  const system = useOperation('read-system', {})
  return (
    <Stack>
      <Text>
        Search matches words, links and, with a model, meaning. The built-in model needs no download, key or network.
      </Text>
      <Loaded query={system}>
        {({ embeddings }) => <FactList facts={[['Model', <EmbeddingsState key="model" embeddings={embeddings} />]]} />}
      </Loaded>
      <Text size="sm" c="dimmed">
        You can switch to another local or hosted model at any time with <code>HOLDFAST_EMBEDDINGS</code>. Existing
        records are indexed again.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onNext}>Continue</Button>
      </Group>
    </Stack>
  )
}

// Loaded on demand: it reads many formats, and few people import during setup.
const ImportPanel = lazy(async () => ({ default: (await import('../transfer/import-panel.tsx')).ImportPanel }))

export function VaultStep({ onNext }: StepProps) {
  const { vault } = useVaults()
  return (
    <Stack>
      <Text>
        A vault is a separately encrypted space. Use one per project, or one for everything. You can create more later.
      </Text>
      {vault !== undefined && (
        <NameForm key={vault.id} vault={vault} onNext={onNext}>
          <ImportExisting vaultId={vault.id} />
        </NameForm>
      )}
    </Stack>
  )
}

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
          later under Import &amp; export, or with <code>{holdfast('import')}</code>.
        </Text>
      )}
    </section>
  )
}

interface FormProps extends StepProps {
  vault: Vault
  /** Shown between the name and the button. */
  children: ReactNode
}

function NameForm({ vault, onNext, children }: FormProps) {
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
    <>
      <form id="name" onSubmit={form.onSubmit(submit)}>
        <TextInput label="Vault name" autoFocus {...form.getInputProps('name')} />
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

const maxItems = 100
const url = describeUrl({ client: '' })

export function TryStep({ onNext }: StepProps) {
  const written = useNewestMemory()
  const [{ client }] = useUrlState(url)
  return (
    <Stack>
      {client === ownCode.id ? (
        <Text>Write a memory from your code, or run the first command of the previous step.</Text>
      ) : (
        <>
          <Text>Tell your agent something worth remembering:</Text>
          <CodeBlock code="Remember that I prefer tabs to spaces." label="Say to the agent" />
        </>
      )}
      <div role="status">
        {written === undefined ? (
          <Alert
            color="gray"
            variant="light"
            icon={<Loader size={16} aria-hidden />}
            title="Waiting for the first memory…"
          >
            It appears here automatically.
          </Alert>
        ) : (
          <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="Saved">
            <Text component="blockquote" fw={550} mx={0} my={4} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
              {written}
            </Text>
            {client !== ownCode.id && <Text>Open a new session and ask what you prefer.</Text>}
          </Alert>
        )}
      </div>
      <Group justify="flex-end">
        <Button variant={written === undefined ? 'default' : 'filled'} onClick={onNext}>
          Open dashboard
        </Button>
      </Group>
    </Stack>
  )
}

/** The newest memory written by one of the user's agents. Imported memories don't count, even if an agent once wrote them. */
function useNewestMemory(): string | undefined {
  const { vault } = useVaults()
  const { data: agents } = usePage('list-integrations', { limit: maxItems })
  const newest = { vaultId: vault?.id ?? '', state: 'all', limit: maxItems } as const
  const { data: memories } = usePage('list-memories', newest, { enabled: vault !== undefined })
  const ids = new Set(agents?.integrations.map(({ id }) => id))
  return memories?.memories.find(({ source }) => source.integrationId !== null && ids.has(source.integrationId))?.title
}
