import { Button, Group, Stack, Text, Modal } from '@mantine/core'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useOperation, useAction } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { CommandAside } from './command-aside.tsx'
import { RenewCodes } from './recovery-codes.tsx'
import { Section } from './section.tsx'
import { SetUpFactor } from './set-up-factor.tsx'
import { toast } from '../../shell/toasts.tsx'
import { IdentityForm } from '../../components/forms/identity-form.tsx'
import { useResetCommand } from './use-reset-command.ts'

type Step = 'set-up' | 'renew' | 'remove'

/** At most this many of the ten codes left is a reason to create new ones. */
const fewCodes = 3

export function SecondFactorSection() {
  const resetFactor = useResetCommand()
  const factor = useOperation('read-totp', {})
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  return (
    <Section
      title="Second factor"
      lead="A code from an authenticator app, in addition to your password. It works without a connection."
    >
      <Loaded query={factor}>
        {({ totp }) =>
          totp === null ? (
            <Stack align="flex-start">
              <StateBadge tone="off">Off</StateBadge>
              <Text>You need an authenticator app, such as the one in your password manager.</Text>
              <Button leftSection={<ShieldCheck size={16} aria-hidden />} onClick={() => setStep('set-up')}>
                Set up second factor
              </Button>
            </Stack>
          ) : (
            <>
              <Stack align="flex-start">
                <Group gap="sm">
                  <StateBadge tone="good">On</StateBadge>
                  <Text c="dimmed">
                    Set up <Moment at={totp.confirmedAt} />
                  </Text>
                </Group>
                <CodesLeft count={totp.recoveryCodesLeft} />
                {totp.wrongCodes !== null && <WrongCodes wrong={totp.wrongCodes} />}
                <Group gap="sm">
                  <Button variant="default" onClick={() => setStep('renew')}>
                    New recovery codes
                  </Button>
                  <Button variant="default" c="var(--hf-danger)" onClick={() => setStep('remove')}>
                    Remove
                  </Button>
                </Group>
              </Stack>
              <CommandAside title="If you lose both phone and codes" code={resetFactor} />
            </>
          )
        }
      </Loaded>
      {step === 'set-up' && <SetUpFactor onClose={close} />}
      {step === 'renew' && <RenewCodes onClose={close} />}
      {step === 'remove' && <RemoveFactor onClose={close} />}
    </Section>
  )
}

function CodesLeft({ count }: { count: number }) {
  const text = `${countOf(count, 'recovery code')} left`
  if (count > fewCodes) return <Text>{text}.</Text>
  return (
    <Group gap="sm">
      <StateBadge tone="warning">{text}</StateBadge>
      <Text>Create new ones before you run out.</Text>
    </Group>
  )
}

function WrongCodes({ wrong: { count, lastAt } }: { wrong: { count: number; lastAt: string } }) {
  return (
    <Group gap="sm">
      <StateBadge tone="warning">{`${countOf(count, 'wrong code')} in the last 30 days`}</StateBadge>
      <Text>
        Last <Moment at={lastAt} />. Whoever entered them knew your password. If it wasn’t you, change it.
      </Text>
    </Group>
  )
}

function RemoveFactor({ onClose }: { onClose: () => void }) {
  const remove = useAction('delete-totp', {
    refreshes: ['read-totp', 'list-sessions'],
    onDone() {
      toast('Second factor removed')
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title="Remove the second factor?">
      <IdentityForm asksCode action={remove} label="Remove" color="red" onClose={onClose}>
        After that, you sign in with just your password. You are signed out everywhere else, and your recovery codes
        stop working.
      </IdentityForm>
    </Modal>
  )
}
