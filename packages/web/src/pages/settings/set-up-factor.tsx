import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { useAction } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { CodeInput } from '../../components/forms/credentials.tsx'
import { showGuessErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { PasswordStep, type PasswordAction } from './password-step.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Password, picture and code, recovery codes. */
export function SetUpFactor({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const [isBegun, setIsBegun] = useState(false)
  const begin = useAction('set-up-totp')
  const beginOnce: PasswordAction = {
    isPending: begin.isPending,
    mutate: ({ password }, { onError }) =>
      begin.mutate(
        { password, anew: isBegun },
        {
          onError: (error) =>
            !isBegun && error instanceof CallError && error.status === 409 ? setIsBegun(true) : onError(error),
        },
      ),
  }
  const isShowingCodes = codes !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={isShowingCodes ? 'Keep your recovery codes' : 'Set up a second factor'}
      // Codes that a stray key closed would be lost.
      withCloseButton={!isShowingCodes}
      closeOnClickOutside={false}
      closeOnEscape={!isShowingCodes}
    >
      {isShowingCodes ? (
        <RecoveryCodes
          codes={codes}
          onKept={() => {
            toast('The second factor is on')
            onClose()
          }}
        />
      ) : begin.data === undefined ? (
        <PasswordStep action={beginOnce} label={isBegun ? 'Begin anew' : 'Continue'} onClose={onClose}>
          <span role="status">
            {isBegun
              ? 'A second factor was begun in the last quarter of an hour, maybe in another window: finish it there. If you begin anew, the key that was shown there counts no longer.'
              : 'First your password, so that nobody who finds this page open can do it.'}
          </span>
        </PasswordStep>
      ) : (
        <ConfirmStep {...begin.data} onConfirmed={setCodes} onClose={onClose} />
      )}
    </Modal>
  )
}

interface ConfirmProps {
  secret: string
  uri: string
  onConfirmed: (codes: readonly string[]) => void
  onClose: () => void
}

function ConfirmStep({ secret, uri, onConfirmed, onClose }: ConfirmProps) {
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? 'The six digits that the app shows' : null) },
  })
  const confirm = useAction('confirm-totp', {
    refreshes: ['read-totp', 'list-sessions'],
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  })
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        confirm.mutate(values, { onError: (error) => showGuessErrors(form, 'code', error) }),
      )}
    >
      <Stack>
        <Text>Scan this with your authenticator app, or type the key into it. Then enter the code that it shows.</Text>
        <QrCode text={uri} label="The key as a picture for an authenticator app" />
        <CodeBlock code={secret} label="The key, shown once" isWrapped />
        <CodeInput label="Code of the app" data-autofocus {...form.getInputProps('code')} />
        <Text size="sm" c="dimmed">
          You are signed out everywhere else once it is on.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            Switch it on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
