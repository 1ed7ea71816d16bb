import type { Integration } from '@holdfast/client/dashboard'
import { Button, Checkbox, MultiSelect, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { DialogButtons } from '../feedback/dialog-buttons.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { MoreOptions } from '../forms/more-options.tsx'
import { useAction } from '../../api/queries.ts'
import { useAgentNames } from '../records/agent-names.ts'
import { callWithProof } from '../forms/call-with-proof.tsx'
import { showErrors } from '../forms/field-errors.ts'
import { rules, type WritePolicy } from './agent-access.ts'
import { describePreset, presets, type Preset } from './make-agent.ts'
import { defaultWritePolicy } from '../../generated/web-operations.ts'
import { toast } from '../../shell/toasts.tsx'
import { useVaults } from '../../shell/vault.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  onCreated: (id: string) => void
  /** The agent to edit. Without it, the form creates one. */
  integration?: Integration
  /** A name to begin with. */
  label?: string
}

export function AgentForm({ isOpen, onClose, onCreated, integration, label = '' }: Props) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={integration === undefined ? 'New agent' : 'Edit agent'}>
      {(close) => <Fields onClose={close} onCreated={onCreated} integration={integration} label={label} />}
    </FormDialog>
  )
}

interface Values {
  label: string
  agentId: string
  /** Null until the person chooses: an agent with an id is then pinned to it. */
  isPinned: boolean | null
  actsAs: string[]
  preset: Preset
  restrictToVault: boolean
  vaults: string[]
  primaryVaultId: string | null
  writePolicy: WritePolicy
}

const valuesOf = (integration: Integration | undefined, label: string): Values => ({
  label: integration?.label ?? label,
  agentId: integration?.agentId ?? '',
  isPinned: integration === undefined ? null : integration.agentIds === 'pinned',
  actsAs: integration?.actsAs ?? [],
  preset: (integration?.preset as Preset | undefined) ?? 'read_write',
  restrictToVault: integration?.restrictToVault ?? false,
  vaults: integration?.vaults.map(({ vaultId }) => vaultId) ?? [],
  primaryVaultId: integration?.primaryVaultId ?? null,
  writePolicy: integration?.writePolicy ?? defaultWritePolicy,
})

function Fields({
  onClose,
  onCreated,
  integration: newest,
  label,
}: Omit<Props, 'isOpen' | 'integration' | 'label'> & { integration: Integration | undefined; label: string }) {
  // Keep the version from when the form opened: saving over someone else's change must end in a conflict.
  const [integration] = useState(newest)
  const form = useForm({
    initialValues: valuesOf(integration, label),
    validate: {
      label: (name) => (name.trim() === '' ? 'Enter a name' : null),
      vaults: (chosen, { restrictToVault }) =>
        restrictToVault && chosen.length === 0 ? 'Choose at least one vault' : null,
    },
  })
  const refreshes = ['list-integrations'] as const
  const create = useAction('create-integration', {
    refreshes,
    send: callWithProof,
    onDone({ integration: created }) {
      onClose()
      onCreated(created.id)
    },
  })
  const update = useAction('update-integration', {
    refreshes,
    waitsForRefresh: true,
    send: callWithProof,
    onDone() {
      toast('Saved')
      onClose()
    },
  })
  const submit = (values: Values) => {
    const access = accessOf(values, integration)
    const onError = (error: Error) => showErrors(form, error)
    if (integration === undefined) create.mutate(access, { onError })
    else
      update.mutate(
        {
          id: integration.id,
          expectedVersion: integration.version,
          ...access,
          agentId: access.agentId ?? null,
          primaryVaultId: values.primaryVaultId,
        },
        { onError },
      )
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Name" placeholder="Claude on the laptop" data-autofocus {...form.getInputProps('label')} />
        <Select
          label="Access"
          description={describePreset(form.values.preset)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={presets}
          allowDeselect={false}
          {...form.getInputProps('preset')}
        />
        <VaultFields form={form} />
        {integration === undefined ? (
          <MoreOptions
            form={form}
            main={['label', 'preset', 'restrictToVault', 'vaults']}
            usual={valuesOf(undefined, '')}
          >
            <OtherFields form={form} />
          </MoreOptions>
        ) : (
          <OtherFields form={form} />
        )}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {integration === undefined ? 'Create agent' : 'Save'}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

function useVaultOptions() {
  const { own } = useVaults()
  return own.map(({ id, name }) => ({ value: id, label: name }))
}

/** Which vaults it can read and write. */
function VaultFields({ form }: { form: UseFormReturnType<Values> }) {
  const options = useVaultOptions()
  const { restrictToVault } = form.values
  return (
    <>
      <Select
        label="Vaults"
        data={[
          { value: 'all', label: 'All vaults' },
          { value: 'chosen', label: 'Only certain vaults' },
        ]}
        allowDeselect={false}
        value={restrictToVault ? 'chosen' : 'all'}
        onChange={(value) => form.setFieldValue('restrictToVault', value === 'chosen')}
      />
      {restrictToVault && <MultiSelect label="Only these vaults" data={options} {...form.getInputProps('vaults')} />}
    </>
  )
}

function OtherFields({ form }: { form: UseFormReturnType<Values> }) {
  const options = useVaultOptions()
  const { restrictToVault, vaults: chosen } = form.values
  return (
    <>
      <NameFields form={form} />
      {form.values.preset !== 'read_only' && <PolicyFields form={form} />}
      <Select
        label="Default vault"
        description="Used when a call doesn’t name a vault."
        placeholder="Your own default vault"
        clearable
        data={restrictToVault ? options.filter(({ value }) => chosen.includes(value)) : options}
        {...form.getInputProps('primaryVaultId')}
      />
    </>
  )
}

/** What other agents call it, and under which names its calls may read and write. */
function NameFields({ form }: { form: UseFormReturnType<Values> }) {
  const names = useAgentNames(undefined)
  return (
    <>
      <TextInput
        label="Agent id"
        description="How other agents address it, in messages and tasks. Default: its name."
        placeholder="codex"
        {...form.getInputProps('agentId')}
      />
      <Checkbox
        label="Only act as this agent"
        description="Its calls can’t use the name of another agent, and no other agent can use its name."
        checked={isPinnedIn(form.values)}
        onChange={({ currentTarget }) => form.setFieldValue('isPinned', currentTarget.checked)}
      />
      <TagsInput
        label="Can also act as"
        description="Other agents whose messages it may read and acknowledge, and under whose names it may write."
        data={names.filter((name) => name !== form.values.agentId)}
        splitChars={[',']}
        {...form.getInputProps('actsAs')}
      />
    </>
  )
}

/** What it may do to what someone else wrote. It may always change what it wrote itself. */
function PolicyFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Select
        label="Editing your records"
        description="Whether it may change, replace, archive or trash your memories, tasks and notes. If it asks first, you decide in Review. Documents have their own setting."
        data={rules}
        allowDeselect={false}
        {...form.getInputProps('writePolicy.persons')}
      />
      <Select
        label="Editing other agents’ records"
        description="And what you imported from files."
        data={rules}
        allowDeselect={false}
        {...form.getInputProps('writePolicy.agents')}
      />
    </>
  )
}

const isPinnedIn = ({ isPinned, agentId }: Values): boolean => isPinned ?? agentId.trim() !== ''

/** Keeps the presets of individual vaults. */
function accessOf(values: Values, before: Integration | undefined) {
  const { label, agentId, actsAs, preset, restrictToVault, vaults, primaryVaultId, writePolicy } = values
  const kept = new Map(before?.vaults.map(({ vaultId, preset: own }) => [vaultId, own]))
  return {
    label,
    agentId: agentId.trim() === '' ? undefined : agentId.trim(),
    agentIds: isPinnedIn(values) ? ('pinned' as const) : ('any' as const),
    actsAs,
    preset,
    restrictToVault,
    vaults: restrictToVault
      ? vaults.map((vaultId) => ({ vaultId, preset: (kept.get(vaultId) ?? undefined) as Preset | undefined }))
      : (before?.vaults ?? []).map((grant) => ({
          vaultId: grant.vaultId,
          preset: (grant.preset ?? undefined) as Preset | undefined,
        })),
    primaryVaultId: primaryVaultId ?? undefined,
    writePolicy,
  }
}
