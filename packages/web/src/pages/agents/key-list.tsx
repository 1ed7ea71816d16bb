import type { Key } from '@holdfast/client/dashboard'
import { Button, Code, Group, Modal, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAction, usePage } from '../../api/queries.ts'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { callWithProof } from '../../components/forms/call-with-proof.tsx'
import { secretIn } from '../../components/connect/make-agent.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { SecretOnce } from '../../components/text/code-block.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { formatDay } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import classes from './key-list.module.css'

const pageSize = 10
const refreshes = ['list-keys', 'list-integrations'] as const

export function KeyList({ integrationId }: { integrationId: string }) {
  const [offset, setOffset] = useState(0)
  const keys = usePage('list-keys', { integrationId, limit: pageSize, offset })
  const [isAdding, adding] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={3}>Keys</Title>
        {!isAdding && (
          <Button size="xs" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={adding.open}>
            New key
          </Button>
        )}
      </Group>
      {isAdding && (
        <KeyForm
          integrationId={integrationId}
          onClose={adding.close}
          onCreated={(agentKey) => {
            setSecret(agentKey)
            adding.close()
          }}
        />
      )}
      <NewKey secret={secret} onClose={() => setSecret(undefined)} />
      <Loaded query={keys} skeleton={<SkeletonList rows={2} />}>
        {(page) => (
          <>
            {page.total === 0 && <Text c="dimmed">No keys yet. Create one to connect this agent.</Text>}
            <ul className={classes.list} aria-label="Keys">
              {page.keys.map((key) => (
                <KeyRow key={key.id} agentKey={key} />
              ))}
            </ul>
            <Pager page={page} onOffset={setOffset} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** Closes only with its button, since the key is shown only once. */
const NewKey = ({ secret, onClose }: { secret: string | undefined; onClose: () => void }) => (
  <Modal
    opened={secret !== undefined}
    onClose={onClose}
    title="Agent key"
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
    size="lg"
  >
    <Stack>
      <SecretOnce secret={secret ?? ''} label="Agent key" />
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Stack>
  </Modal>
)

function KeyRow({ agentKey }: { agentKey: Key }) {
  const { id, label, last4, state, lastUsedAt, expiresAt, client } = agentKey
  const revoke = useAction('revoke-key', { refreshes, onDone: () => toast('Key revoked') })
  const name = client === null ? (label ?? `…${last4}`) : `“${client.name}”`
  const ask = () =>
    confirmStep({
      title: `Revoke ${name}?`,
      body:
        client === null
          ? 'It stops working immediately. This can’t be undone, but you can create a new key.'
          : 'It stops working immediately. To use it again, connect it again from the program.',
      confirmLabel: client === null ? 'Revoke key' : 'Revoke access',
      onConfirm: () => revoke.mutate({ id }, { onError: (error) => toastError(error) }),
    })
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <span>
          {client === null ? (
            <>
              <Code>svc_…{last4}</Code> {label}
            </>
          ) : (
            <>
              {name} at <Code>{client.redirectHost}</Code>
            </>
          )}
        </span>
        <Text size="sm" c="dimmed">
          Last used <Moment at={lastUsedAt} />
          {expiresAt !== null && (
            <>
              {' '}
              · {state === 'expired' ? 'expired' : 'expires'} {formatDay(expiresAt)}
              {client !== null && state === 'valid' && ' unless it is used'}
            </>
          )}
        </Text>
      </div>
      {state === 'valid' ? (
        <Button
          size="xs"
          variant="default"
          c="var(--hf-danger)"
          loading={revoke.isPending}
          onClick={ask}
          aria-label={`Revoke ${name}`}
        >
          Revoke
        </Button>
      ) : (
        <StateBadge tone="off">{state === 'revoked' ? 'Revoked' : 'Expired'}</StateBadge>
      )}
    </li>
  )
}

interface FormProps {
  integrationId: string
  onClose: () => void
  onCreated: (secret: string) => void
}

function KeyForm({ integrationId, onClose, onCreated }: FormProps) {
  const form = useForm<{ label: string; lifetime: Lifetime }>({ initialValues: { label: '', lifetime: '90' } })
  const create = useAction('create-key', {
    refreshes,
    onDone: (created) => onCreated(secretIn(created)),
    send: callWithProof,
  })
  const submit = ({ label, lifetime }: { label: string; lifetime: Lifetime }) =>
    create.mutate(
      { integrationId, label: label.trim() === '' ? undefined : label, expiresAt: expiryFrom(lifetime) },
      { onError: (error) => showErrors(form, error) },
    )
  return (
    <form onSubmit={form.onSubmit(submit)} className={classes.form} aria-label="New key">
      <Group align="flex-end" grow>
        <TextInput label="Name (optional)" autoFocus {...form.getInputProps('label')} />
        <Select label="Expires" data={lifetimes} allowDeselect={false} {...form.getInputProps('lifetime')} />
      </Group>
      <Group justify="flex-end" mt="sm">
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={create.isPending}>
          Create key
        </Button>
      </Group>
    </form>
  )
}

/** How long a new key works. */
const lifetimes = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
] as const

type Lifetime = (typeof lifetimes)[number]['value']

const dayMs = 86_400_000

/** Undefined if the key never expires. */
const expiryFrom = (lifetime: Lifetime, nowMs = Date.now()): string | undefined =>
  lifetime === 'never' ? undefined : new Date(nowMs + Number(lifetime) * dayMs).toISOString()
