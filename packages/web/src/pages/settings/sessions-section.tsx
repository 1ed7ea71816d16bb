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
import { useUrlState } from '../../shell/url-state.ts'
import { PasswordStep } from './password-step.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'

const pageSize = 20
const shown = { offset: 0 }
const refreshes = ['list-sessions'] as const

export function SessionsSection() {
  const [{ offset }, setState] = useUrlState(shown)
  const sessions = usePage('list-sessions', { limit: pageSize, offset })
  const [isMaking, setIsMaking] = useState(false)
  const endOthers = useAction('end-other-sessions', {
    refreshes,
    onDone: ({ endedSessions }) =>
      toast(endedSessions === 0 ? 'You were signed in nowhere else' : `${countOf(endedSessions, 'session')} ended`),
  })
  const askToEndOthers = () =>
    confirmStep({
      title: 'Sign out everywhere else?',
      body: 'All your sessions but this one end. Dashboard tokens stay.',
      confirmLabel: 'Sign out everywhere else',
      onConfirm: () => endOthers.mutate({}, { onError: (error) => toastError(error) }),
    })
  return (
    <Section
      title="Sessions"
      lead="All that opens the dashboard as you. Sessions end by themselves after 12 hours without use, and after seven days."
      actions={
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setIsMaking(true)}
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
      {isMaking && <NewToken onClose={() => setIsMaking(false)} />}
    </Section>
  )
}

const places: Record<NonNullable<Session['origin']>, string> = {
  machine: 'from the server’s machine, or a proxy on it',
  network: 'from a private network',
  internet: 'from the internet',
  unknown: 'from an unknown place',
}

function SessionRow({
  session: { id, kind, isCurrent, browser, origin, createdAt, lastUsedAt },
}: {
  session: Session
}) {
  const { leave } = useShell()
  const name = kind === 'token' ? 'Dashboard token' : (browser ?? 'An earlier session')
  const end = useAction('end-session', {
    refreshes,
    onDone: () => toast(kind === 'token' ? 'The token is taken back' : 'The session is ended'),
  })
  const ask = () =>
    confirmStep({
      title: kind === 'token' ? 'Take back this token?' : `End ${name}?`,
      body:
        kind === 'token'
          ? 'Programs that use it are refused from the next call on. This cannot be taken back; a new token can be made.'
          : 'Whoever is there has to sign in again.',
      confirmLabel: kind === 'token' ? 'Take back' : 'End session',
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
          {kind === 'token' ? 'Made' : 'Signed in'} <Moment at={createdAt} />
          {origin !== null && ` ${places[origin]}`} · last used <Moment at={lastUsedAt} />
          {kind === 'token' && ' · for programs; it has no end'}
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
          aria-label={kind === 'token' ? 'Take back the token' : `End ${name}`}
        >
          {kind === 'token' ? 'Take back' : 'End'}
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
        <PasswordStep action={create} label="Make token" onClose={onClose}>
          For a program that works as you, such as a script that makes webhooks. It can do what you can, has no end, and
          is asked for no second factor: take it back when it is no longer needed. Agents take keys instead.
        </PasswordStep>
      ) : (
        <>
          <SecretOnce secret={create.data.dashboardToken} label="Dashboard token" />
          <Group justify="flex-end" mt="md">
            <Button onClick={onClose}>I have it</Button>
          </Group>
        </>
      )}
    </Modal>
  )
}
