import type { Session } from '@holdfast/client/dashboard'
import { Button, Checkbox, Modal, Select, Stack, Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction, usePage } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { SecretOnce } from '../../components/text/code-block.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf, formatDay } from '../../components/text/time-text.ts'
import { useShell } from '../../shell/shell-context.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { IdentityStep } from './identity-step.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'

const pageSize = 20
const url = describeUrl({ offset: 0 })
const refreshes = ['list-sessions'] as const

export function SessionsSection() {
  const [{ offset }, setState] = useUrlState(url)
  const sessions = usePage('list-sessions', { limit: pageSize, offset })
  const [isCreating, setIsCreating] = useState(false)
  const [isEnding, setIsEnding] = useState(false)
  return (
    <Section
      title="Sessions"
      lead="Everywhere you are signed in. Sessions end after 12 hours without use, and after seven days at the latest."
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setIsCreating(true)}
          >
            New token
          </Button>
          <Button size="xs" variant="default" onClick={() => setIsEnding(true)}>
            Sign out everywhere else
          </Button>
        </>
      }
    >
      <Loaded query={sessions}>
        {(page) => (
          <>
            <ul className={styles.rows} aria-label="Sessions">
              {page.sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            <Pager page={page} onOffset={(next) => setState({ offset: next })} />
          </>
        )}
      </Loaded>
      {isCreating && <NewToken onClose={() => setIsCreating(false)} />}
      {isEnding && <EndOthers onClose={() => setIsEnding(false)} />}
    </Section>
  )
}

const places: Record<NonNullable<Session['origin']>, string> = {
  machine: 'from the server’s machine or its proxy',
  network: 'from a private network',
  internet: 'from the internet',
  unknown: 'from an unknown network',
}

function SessionRow({
  session: { id, kind, isCurrent, browser, origin, createdAt, lastUsedAt, expiresAt },
}: {
  session: Session
}) {
  const { leave } = useShell()
  const name = kind === 'token' ? 'Dashboard token' : (browser ?? 'Unknown browser')
  const end = useAction('end-sessions', {
    refreshes,
    onDone: () => toast(kind === 'token' ? 'Token revoked' : 'Signed out there'),
  })
  const ask = () =>
    confirmStep({
      title: kind === 'token' ? 'Revoke this token?' : `Sign out ${name}?`,
      body:
        kind === 'token'
          ? 'Programs that use it lose access immediately. You can’t undo this, but you can create a new token.'
          : 'You’ll have to sign in there again.',
      confirmLabel: kind === 'token' ? 'Revoke' : 'Sign out',
      onConfirm: () => end.mutate({ id }, { onError: (error) => toastError(error) }),
    })
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>
          {name}
          {isCurrent && <StateBadge tone="good">This session</StateBadge>}
        </div>
        <Text size="sm" c="dimmed">
          {kind === 'token' ? 'Created' : 'Signed in'} <Moment at={createdAt} />
          {origin !== null && ` ${places[origin]}`} · last used <Moment at={lastUsedAt} />
          {kind === 'token' && ` · for programs, expires ${formatDay(expiresAt)}`}
        </Text>
      </div>
      {isCurrent ? (
        <Button size="xs" variant="default" onClick={leave}>
          Sign out
        </Button>
      ) : (
        <Button
          size="xs"
          variant="default"
          onClick={ask}
          loading={end.isPending}
          aria-label={kind === 'token' ? 'Revoke the token' : `Sign out ${name}`}
        >
          {kind === 'token' ? 'Revoke' : 'Sign out'}
        </Button>
      )}
    </li>
  )
}

function EndOthers({ onClose }: { onClose: () => void }) {
  const [tokens, setTokens] = useState(false)
  const end = useAction('end-sessions', {
    refreshes,
    onDone({ endedSessions, revokedTokens }) {
      const revoked = revokedTokens === 0 ? '' : `, ${countOf(revokedTokens, 'token')} revoked`
      toast(
        (endedSessions === 0 ? 'No other sessions' : `Signed out of ${countOf(endedSessions, 'session')}`) + revoked,
      )
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title="Sign out everywhere else?">
      <Stack>
        <Text>This ends all your other sessions. Agent keys keep working.</Text>
        <Checkbox
          label="Also revoke all dashboard tokens"
          description="Programs that use them lose access immediately."
          checked={tokens}
          onChange={({ currentTarget }) => setTokens(currentTarget.checked)}
        />
        <DialogButtons onCancel={onClose}>
          <Button
            color="red"
            loading={end.isPending}
            onClick={() => end.mutate({ sessions: true, tokens }, { onError: (error) => toastError(error) })}
          >
            Sign out everywhere else
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}

const lifetimes = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

function NewToken({ onClose }: { onClose: () => void }) {
  const [days, setDays] = useState('90')
  const create = useAction('create-token', { refreshes })
  const action = {
    isPending: create.isPending,
    mutate: (proof: { password: string; code?: string }, options: { onError: (error: Error) => void }) =>
      create.mutate({ ...proof, expiresInDays: Number(days) }, options),
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
          <Select
            label="Expires"
            data={lifetimes}
            allowDeselect={false}
            value={days}
            onChange={(value) => setDays(value ?? days)}
          />
          <IdentityStep action={action} label="Create token" onClose={onClose}>
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
