import type { Session } from '@holdfast/client/dashboard'
import { Button, Group, Modal, Text } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAction, usePage } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { SecretOnce } from '../../components/text/code-block.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'
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
  const endOthers = useAction('end-other-sessions', {
    refreshes,
    onDone: ({ endedSessions }) =>
      toast(endedSessions === 0 ? 'No other sessions' : `${countOf(endedSessions, 'session')} ended`),
  })
  const askToEndOthers = () =>
    confirmStep({
      title: 'Sign out everywhere else?',
      body: 'This ends all your other sessions. Dashboard tokens keep working.',
      confirmLabel: 'Sign out everywhere else',
      onConfirm: () => endOthers.mutate({}, { onError: (error) => toastError(error) }),
    })
  return (
    <Section
      title="Sessions"
      lead="Everywhere you are signed in. Sessions end after 12 hours without use, and after seven days at the latest."
      actions={
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setIsCreating(true)}
          >
            New token
          </Button>
          <Button size="xs" variant="default" onClick={askToEndOthers} loading={endOthers.isPending}>
            Sign out everywhere else
          </Button>
        </Group>
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
    </Section>
  )
}

const places: Record<NonNullable<Session['origin']>, string> = {
  machine: 'from the server’s machine, or a proxy on it',
  network: 'from a private network',
  internet: 'from the internet',
  unknown: 'from an unknown network',
}

function SessionRow({
  session: { id, kind, isCurrent, browser, origin, createdAt, lastUsedAt },
}: {
  session: Session
}) {
  const { leave } = useShell()
  const name = kind === 'token' ? 'Dashboard token' : (browser ?? 'Unknown browser')
  const end = useAction('end-session', {
    refreshes,
    onDone: () => toast(kind === 'token' ? 'Token revoked' : 'Session ended'),
  })
  const ask = () =>
    confirmStep({
      title: kind === 'token' ? 'Revoke this token?' : `End ${name}?`,
      body:
        kind === 'token'
          ? 'Programs that use it lose access immediately. You can’t undo this, but you can create a new token.'
          : 'You’ll have to sign in there again.',
      confirmLabel: kind === 'token' ? 'Revoke' : 'End session',
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
          {kind === 'token' && ' · for programs, never expires'}
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
          aria-label={kind === 'token' ? 'Revoke the token' : `End ${name}`}
        >
          {kind === 'token' ? 'Revoke' : 'End'}
        </Button>
      )}
    </li>
  )
}

function NewToken({ onClose }: { onClose: () => void }) {
  const create = useAction('create-token', { refreshes })
  return (
    <Modal opened onClose={onClose} title="New dashboard token" closeOnClickOutside={create.data === undefined}>
      {create.data === undefined ? (
        <IdentityStep action={create} label="Create token" onClose={onClose}>
          For a program that acts as you, such as a script that creates webhooks. It has your permissions, never
          expires, and needs no second factor, so revoke it when you no longer need it. Agents use keys instead.
        </IdentityStep>
      ) : (
        <>
          <SecretOnce secret={create.data.dashboardToken} label="Dashboard token" />
          <Group justify="flex-end" mt="md">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </>
      )}
    </Modal>
  )
}
