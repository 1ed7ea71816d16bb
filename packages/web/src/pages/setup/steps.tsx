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

export interface StepProps {
  onNext: () => void
}

export function KeyStep({ onNext }: StepProps) {
  const system = useOperation('system', {})
  const [hasCopy, setHasCopy] = useState(false)
  return (
    <Stack>
      <Text>
        Everything that is stored here is sealed. One key opens it all, and a backup cannot be read without it: put a
        copy of this file, or of what is in it, somewhere else, such as a password manager or another disk.
      </Text>
      <Loaded query={system}>
        {({ server }) =>
          server === null ? (
            <Text>The owner of this server keeps the key.</Text>
          ) : (
            <CodeBlock
              code={server.rootKeyOrigin}
              label="The file that holds the key, on the server’s machine"
              isWrapped
            />
          )
        }
      </Loaded>
      <Checkbox
        label="I have put a copy elsewhere"
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
  const system = useOperation('system', {})
  return (
    <Stack>
      <Text>
        Search finds words, links, and with a model also what means the same. The built-in model needs nothing: no
        download, no key, no network.
      </Text>
      <Loaded query={system}>
        {({ embeddings }) => <FactList facts={[['Model', <EmbeddingsState key="model" embeddings={embeddings} />]]} />}
      </Loaded>
      <Text size="sm" c="dimmed">
        Another one, on this machine or behind an address, can be set at any time with <code>HOLDFAST_EMBEDDINGS</code>;
        what is stored by then is taken along.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onNext}>Continue</Button>
      </Group>
    </Stack>
  )
}

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

const most = 100
const url = describeUrl({ client: '' })

export function TryStep({ onNext }: StepProps) {
  const written = useFirstWritten()
  const [{ client }] = useUrlState(url)
  return (
    <Stack>
      {client === ownCode.id ? (
        <Text>Have your code write a memory, or send the first command of the step before.</Text>
      ) : (
        <>
          <Text>Tell your agent something that is worth keeping:</Text>
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
            It appears here by itself.
          </Alert>
        ) : (
          <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="It is remembered">
            <Text component="blockquote" fw={550} mx={0} my={4} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
              {written}
            </Text>
            {client !== ownCode.id && <Text>Open a new session and ask what you prefer.</Text>}
          </Alert>
        )}
      </div>
      <Group justify="flex-end">
        <Button variant={written === undefined ? 'default' : 'filled'} onClick={onNext}>
          To the dashboard
        </Button>
      </Group>
    </Stack>
  )
}

/** The newest memory of an agent that is here. What people bring along is none, even where it says that an agent once wrote it. */
function useFirstWritten(): string | undefined {
  const { vault } = useVaults()
  const { data: agents } = usePage('list-integrations', { limit: most })
  const newest = { vaultId: vault?.id ?? '', state: 'all', limit: most } as const
  const { data: memories } = usePage('list-memories', newest, { enabled: vault !== undefined })
  const ids = new Set(agents?.integrations.map(({ id }) => id))
  return memories?.memories.find(({ source }) => source.integrationId !== null && ids.has(source.integrationId))?.title
}
