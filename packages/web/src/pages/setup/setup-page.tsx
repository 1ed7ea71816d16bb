import { Progress, Skeleton, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isSignedOut } from '../../api/call-error.ts'
import { useLiveUpdates } from '../../api/live.ts'
import { useOperation } from '../../api/queries.ts'
import { SignedOutFrame } from '../../components/frame/signed-out-frame.tsx'
import { ErrorNotice, Loaded } from '../../components/feedback/loaded.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { AccountStep } from './account-step.tsx'
import { ConnectStep } from './connect-step.tsx'
import { KeyStep, VaultStep } from './steps.tsx'
import { takeSetupToken } from './setup-token.ts'

/** The steps after the account. People can skip each of them and go back. */
const steps = [
  { name: 'key', title: 'Save a copy of the root key', Step: KeyStep },
  { name: 'vault', title: 'Name your vault', Step: VaultStep },
  { name: 'connect', title: 'Connect an agent', Step: ConnectStep },
] as const

const url = describeUrl({ step: 'key' })

export function SetupPage() {
  const setup = useOperation('get-setup', {})
  if (setup.data === undefined)
    return (
      <SignedOutFrame title="Set up Holdfast" isSetup>
        {setup.error === null ? (
          <Skeleton height={200} />
        ) : (
          <ErrorNotice error={setup.error} retry={() => void setup.refetch()} />
        )}
      </SignedOutFrame>
    )
  return setup.data.needed ? (
    <SignedOutFrame title="Create your account" isSetup>
      <StepBar at={0} />
      <AccountStep />
    </SignedOutFrame>
  ) : (
    <LaterSteps />
  )
}

function LaterSteps() {
  const [{ step }] = useUrlState(url)
  const navigate = useNavigate()
  const session = useOperation('read-session', {})
  useLiveUpdates()
  // The setup link was opened again. Its token isn't needed here, so remove it from the URL.
  useEffect(() => void takeSetupToken(), [])
  const hasNoSession = isSignedOut(session.error)
  useEffect(() => {
    if (hasNoSession) void navigate({ to: '/login', search: { next: `/setup?step=${step}` } })
  }, [hasNoSession, navigate, step])
  const at = Math.max(
    0,
    steps.findIndex(({ name }) => name === step),
  )
  const { title, Step } = steps[at] ?? steps[0]
  // Each step has its own history entry, so the browser's Back opens the previous step, too.
  const open = (name: string) =>
    void navigate({ to: '/setup', search: (former: object) => ({ ...former, step: name }) })
  const previous = steps[at - 1]
  const next = steps[at + 1]
  const onBack = previous === undefined ? undefined : () => open(previous.name)
  const onNext = () => (next === undefined ? void navigate({ to: '/' }) : open(next.name))
  return (
    <SignedOutFrame title={title} isSetup key={title}>
      <StepBar at={at + 1} />
      <Loaded query={session} skeleton={<Skeleton height={200} />}>
        {() => <Step onBack={onBack} onNext={onNext} />}
      </Loaded>
    </SignedOutFrame>
  )
}

function StepBar({ at }: { at: number }) {
  const count = steps.length + 1
  return (
    <div style={{ marginBottom: 24 }}>
      <Text size="sm" c="dimmed" mb={6}>
        Step {at + 1} of {count}
      </Text>
      <Progress value={((at + 1) / count) * 100} size="sm" aria-label="Setup progress" />
    </div>
  )
}
