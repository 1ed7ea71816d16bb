import { Button, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState, useMemo } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { CallError } from '../../api/call-error.ts'
import { useAction } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { CodeInput } from '../../components/forms/credentials.tsx'
import { IdentityForm, type ProvenAction } from '../../components/forms/identity-form.tsx'
import { showGuessErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { encodeQR } from 'qr'
import styles from './settings-page.module.css'

/** Asks for the password, shows the QR code, checks a code, then shows the recovery codes. */
export function SetUpFactor({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const [isStarted, setIsStarted] = useState(false)
  const begin = useAction('set-up-totp')
  const beginOnce: ProvenAction = {
    isPending: begin.isPending,
    mutate: ({ password }, { onError }) =>
      begin.mutate(
        { password, startOver: isStarted },
        {
          onError: (error) =>
            !isStarted && error instanceof CallError && error.status === 409 ? setIsStarted(true) : onError(error),
        },
      ),
  }
  const isShowingCodes = codes !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={isShowingCodes ? 'Save your recovery codes' : 'Set up a second factor'}
      // A stray key press must not close the dialog and lose the codes.
      withCloseButton={!isShowingCodes}
      closeOnClickOutside={false}
      closeOnEscape={!isShowingCodes}
    >
      {isShowingCodes ? (
        <RecoveryCodes
          codes={codes}
          onSaved={() => {
            toast('Second factor turned on')
            onClose()
          }}
        />
      ) : begin.data === undefined ? (
        <IdentityForm action={beginOnce} label={isStarted ? 'Start over' : 'Continue'} onClose={onClose}>
          <span role="status">
            {isStarted
              ? 'Setup was already started in the last 15 minutes, maybe in another window. Finish it there, or start over. If you start over, the key shown there stops working.'
              : 'Confirm that it’s you before you set up a second factor.'}
          </span>
        </IdentityForm>
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
    validate: { code: (code) => (code.trim() === '' ? 'Enter the six digits that the app shows' : null) },
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
        <Text>
          Scan this with your authenticator app, or enter the key in the app. Then enter the code that the app shows.
        </Text>
        <QrCode text={uri} label="QR code of the key for an authenticator app" />
        <CodeBlock code={secret} label="The key, shown once" isWrapped />
        <CodeInput label="Code from the app" data-autofocus {...form.getInputProps('code')} />
        <Text size="sm" c="dimmed">
          Turning it on signs you out everywhere else.
        </Text>
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={confirm.isPending}>
            Turn on
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

/** White border in modules, which cameras need. */
const border = 4

/** Draws the code in the browser, since the text is a secret that must not be sent anywhere. */
function QrCode({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border }), [text])
  const size = modules.length
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={printPath(modules)} fill="#000" />
    </svg>
  )
}

/** One square per dark module. */
const printPath = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
