import type { Session } from '@holdfast/client/dashboard'
import { Button, Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction, usePage } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { useShell } from '../../shell/shell-context.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'
import { TokensSection } from './tokens-section.tsx'

const pageSize = 20
const url = describeUrl({ offset: 0 })
const refreshes = ['list-sessions'] as const

export const SessionsSection = () => (
  <>
    <Browsers />
    <TokensSection />
  </>
)

function Browsers() {
  const [{ offset }, setState] = useUrlState(url)
  const sessions = usePage('list-sessions', { kind: 'session', limit: pageSize, offset })
  const [isEnding, setIsEnding] = useState(false)
  return (
    <Section
      title="Browsers"
      lead="Where you are signed in. Sessions end after 12 hours without use, and after seven days at the latest."
      actions={
        <Button size="xs" variant="default" onClick={() => setIsEnding(true)}>
          Sign out everywhere else
        </Button>
      }
    >
      <Loaded query={sessions}>
        {(page) => (
          <>
            <ul className={styles.rows} aria-label="Browsers">
              {page.sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            <Pager page={page} onOffset={(next) => setState({ offset: next })} />
          </>
        )}
      </Loaded>
      {isEnding && <EndOthers onClose={() => setIsEnding(false)} />}
    </Section>
  )
}

const places: Record<NonNullable<Session['origin']>, string> = {
  machine: 'from this server or its proxy',
  network: 'from a private network',
  internet: 'from the internet',
  unknown: 'from an unknown network',
}

function SessionRow({ session: { id, isCurrent, browser, origin, createdAt, lastUsedAt } }: { session: Session }) {
  const { leave } = useShell()
  const name = browser ?? 'Unknown browser'
  const end = useAction('end-sessions', { refreshes, onDone: () => toast('Signed out there') })
  const ask = () =>
    confirmStep({
      title: `Sign out ${name}?`,
      body: 'You’ll have to sign in there again.',
      confirmLabel: 'Sign out',
      onConfirm: () => end.mutate({ id }, { onError: (error) => toastError(error) }),
    })
  return (
    <li className={`${styles.row} ${styles.headed}`}>
      <div className={styles.name}>
        {name}
        {isCurrent && <StateBadge tone="good">This session</StateBadge>}
      </div>
      {isCurrent ? (
        <Button size="xs" variant="default" onClick={leave}>
          Sign out
        </Button>
      ) : (
        <Button size="xs" variant="default" onClick={ask} loading={end.isPending} aria-label={`Sign out ${name}`}>
          Sign out
        </Button>
      )}
      <Text size="sm" c="dimmed" className={`${styles.text} ${styles.times}`}>
        <span>
          Last used <Moment at={lastUsedAt} />
        </span>
        <span>
          signed in <Moment at={createdAt} />
          {origin !== null && ` ${places[origin]}`}
        </span>
      </Text>
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
