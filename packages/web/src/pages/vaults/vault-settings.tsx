import type { Vault, VaultSettings } from '@holdfast/client/dashboard'
import { Button, NumberInput, Select, Skeleton, Stack, Switch, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction, useOperation } from '../../api/queries.ts'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { toast, toastError } from '../../shell/toasts.tsx'

/** Rules of a vault for searches, duplicates and turns. The trash and the documents have pages of their own. */
export function VaultSettingsDialog({ vault, onClose }: { vault: Vault | undefined; onClose: () => void }) {
  return (
    <FormDialog opened={vault !== undefined} onClose={onClose} title={`Settings of ${vault?.name ?? ''}`}>
      {(close) => vault !== undefined && <Settings vaultId={vault.id} onClose={close} />}
    </FormDialog>
  )
}

interface Props {
  vaultId: string
  onClose: () => void
}

function Settings({ vaultId, onClose }: Props) {
  const settings = useOperation('get-settings', { vaultId })
  return (
    <Loaded query={settings} skeleton={<Skeleton height={720} aria-label="Loading" />}>
      {({ settings: values, version }) => (
        <Fields key={version} vaultId={vaultId} before={values} version={version} onClose={onClose} />
      )}
    </Loaded>
  )
}

const extractions = [
  { value: 'off', label: 'Nothing' },
  { value: 'rules', label: 'Rules' },
  { value: 'llm', label: 'Language model' },
]

const search = [
  [
    'threshold',
    'Threshold',
    'Hides results found by meaning alone below this similarity. Up to 0.4, the closest ones are shown if words match little.',
  ],
  ['diversity', 'Diversity', '0 sorts by score only, 1 avoids similar results.'],
] as const

const duplicates = [
  [
    'semanticDuplicate',
    'Similarity of a duplicate',
    'A new text this similar counts as a duplicate. 1 turns this off.',
  ],
  [
    'nearDuplicate',
    'Share of the same words',
    'A new text that shares this many words counts as a duplicate. 1 turns this off.',
  ],
  [
    'supersede',
    'Similarity of a replacement',
    'A newer text about the same entity replaces the older one. 1 turns this off.',
  ],
] as const

const numbers = ['threshold', 'diversity', 'decayHalfLife', 'semanticDuplicate', 'nearDuplicate', 'supersede'] as const

/** A field that was emptied has no number. */
const validate = Object.fromEntries(
  numbers.map((name) => [name, (value: unknown) => (typeof value === 'number' ? null : 'Enter a number')]),
)

function Fields({ vaultId, before, version, onClose }: Props & { before: VaultSettings; version: number }) {
  const form = useForm({ initialValues: valuesOf(before), validate })
  const save = useAction('update-settings', {
    refreshes: ['get-settings', 'list-vaults'],
    onDone() {
      toast('Settings saved')
      onClose()
    },
  })
  const submit = ({ nearDuplicate, semanticDuplicate, supersede, ...rest }: typeof form.values) =>
    save.mutate(
      {
        vaultId,
        expectedVersion: version,
        settings: { ...rest, dedup: { nearDuplicate, semanticDuplicate, supersede } },
      },
      { onError: (error) => toastError(error) },
    )
  // It may be far above the button.
  const showFirst = (errors: typeof form.errors) => {
    const wrong = numbers.find((name) => errors[name] !== undefined)
    if (wrong !== undefined) form.getInputNode(wrong)?.focus()
  }
  const shareOf = ([name, label, description]: (typeof search | typeof duplicates)[number]) => (
    <NumberInput
      key={name}
      label={label}
      description={description}
      min={0}
      max={1}
      step={0.05}
      decimalScale={2}
      clampBehavior="strict"
      {...form.getInputProps(name)}
    />
  )
  return (
    <form onSubmit={form.onSubmit(submit, showFirst)}>
      <Stack>
        <Title order={3}>Search</Title>
        {search.map(shareOf)}
        <NumberInput
          label="Recency half-life (days)"
          description="After this time, the bonus for a recent memory is half as large."
          min={1}
          max={365}
          allowDecimal={false}
          {...form.getInputProps('decayHalfLife')}
        />
        <Switch
          label="Prefer newer facts"
          description="Ranks a fact lower if a newer one about the same subject also fits."
          {...form.getInputProps('preferNewer', { type: 'checkbox' })}
        />
        <Title order={3} mt="xs">
          Duplicates
        </Title>
        {duplicates.map(shareOf)}
        <Title order={3} mt="xs">
          Conversations
        </Title>
        <Select
          label="What finds memories in conversations"
          data={extractions}
          allowDeselect={false}
          {...form.getInputProps('extraction')}
        />
        <Text size="sm" c="dimmed">
          How long archived records are kept is set under Trash.
        </Text>
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={save.isPending}>
            Save settings
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

function valuesOf({ dedup, ...settings }: VaultSettings) {
  const { threshold, diversity, decayHalfLife, preferNewer, signalThreshold, extraction } = settings
  const { nearDuplicate, semanticDuplicate, supersede } = dedup
  const searches = { threshold, diversity, decayHalfLife, preferNewer }
  return { ...searches, signalThreshold, extraction, nearDuplicate, semanticDuplicate, supersede }
}
