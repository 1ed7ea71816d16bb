import type { Session } from '@holdfast/client/dashboard'
import { Button, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { useAction, usePage } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { SecretOnce } from '../../components/text/code-block.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { formatDay, formatMoment } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { IdentityStep } from './identity-step.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'

const pageSize = 20
const url = describeUrl({ tokens: 0 })
const refreshes = ['list-sessions'] as const

/** Tokens for programs, which have pages of their own next to those of the browsers. */
export function TokensSection() {
  const [{ tokens: offset }, setState] = useUrlState(url)
  const tokens = usePage('list-sessions', { kind: 'token', limit: pageSize, offset })
  const [isCreating, setIsCreating] = useState(false)
  return (
    <Section
      title="Dashboard tokens"
      lead="For programs that act as you, such as a script that creates webhooks. Agents use keys instead."
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setIsCreating(true)}
        >
          New token
        </Button>
      }
    >
      <Loaded query={tokens}>
        {(page) =>
          page.total === 0 ? (
            <Text c="dimmed">
              No tokens yet. Create one for a program, and revoke it here when it is no longer needed.
            </Text>
          ) : (
            <>
              <ul className={styles.rows} aria-label="Dashboard tokens">
                {page.sessions.map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </ul>
              <Pager page={page} onOffset={(next) => setState({ tokens: next })} />
            </>
          )
        }
      </Loaded>
      {isCreating && <NewToken onClose={() => setIsCreating(false)} />}
    </Section>
  )
}

function TokenRow({ token: { id, name, createdAt, lastUsedAt, expiresAt } }: { token: Session }) {
  const shown = name ?? `Token created ${formatMoment(createdAt)}`
  const revoke = useAction('end-sessions', { refreshes, onDone: () => toast('Token revoked') })
  const ask = () =>
    confirmStep({
      title: `Revoke “${shown}”?`,
      body: 'Programs that use it lose access immediately. You can’t undo this, but you can create a new token.',
      confirmLabel: 'Revoke',
      onConfirm: () => revoke.mutate({ id }, { onError: (error) => toastError(error) }),
    })
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>{shown}</div>
        <Text size="sm" c="dimmed">
          {name !== null && `Created ${formatDay(createdAt)} · `}Last used <Moment at={lastUsedAt} /> · expires{' '}
          <Moment at={expiresAt} />
        </Text>
      </div>
      <Button size="xs" variant="default" onClick={ask} loading={revoke.isPending} aria-label={`Revoke ${shown}`}>
        Revoke
      </Button>
    </li>
  )
}

const lifetimes = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

function NewToken({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [nameError, setNameError] = useState<string>()
  const [days, setDays] = useState('90')
  const formId = useId()
  const create = useAction('create-token', { refreshes })
  const action = {
    isPending: create.isPending,
    mutate(proof: { password: string; code?: string }, options: { onError: (error: Error) => void }) {
      if (name.trim() === '') setNameError('Enter a name')
      else create.mutate({ ...proof, name: name.trim(), expiresInDays: Number(days) }, options)
    },
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="New dashboard token"
      // The token is shown only once.
      withCloseButton={create.data === undefined}
      closeOnClickOutside={create.data === undefined}
      closeOnEscape={create.data === undefined}
    >
      {create.data === undefined ? (
        <Stack>
          <TextInput
            form={formId}
            data-autofocus
            label="Name"
            placeholder="Deploy script"
            maxLength={100}
            value={name}
            error={nameError}
            onChange={({ currentTarget }) => {
              setName(currentTarget.value)
              setNameError(undefined)
            }}
          />
          <Select
            label="Expires"
            data={lifetimes}
            allowDeselect={false}
            value={days}
            onChange={(value) => setDays(value ?? days)}
          />
          <IdentityStep id={formId} action={action} label="Create token" onClose={onClose}>
            For a program that acts as you, such as a script that creates webhooks. It has your permissions and needs no
            second factor, so revoke it when you no longer need it. Agents use keys instead.
          </IdentityStep>
        </Stack>
      ) : (
        <Stack>
          <SecretOnce secret={create.data.dashboardToken} label="Dashboard token" />
          <DialogButtons>
            <Button onClick={onClose}>Done</Button>
          </DialogButtons>
        </Stack>
      )}
    </Modal>
  )
}
