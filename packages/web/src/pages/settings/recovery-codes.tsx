import { Alert, Button, Checkbox, Group, Stack, Text, Modal } from '@mantine/core'
import { Download, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { saveFile } from '../../components/text/save-file.ts'
import { useAction } from '../../api/queries.ts'
import { IdentityForm } from '../../components/forms/identity-form.tsx'

/** Shows the codes once. A checkbox confirms that they are saved before the dialog can close. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const [hasSaved, setHasSaved] = useState(false)
  const text = codes.join('\n')
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<KeyRound size={18} aria-hidden />} title="Shown once">
        <Text mb="xs">
          Each code lets you sign in once without the app. Keep them somewhere other than your phone, such as in a
          password manager or on paper.
        </Text>
        <CodeBlock code={text} label="Recovery codes" />
      </Alert>
      <Group justify="space-between">
        <Checkbox
          label="I have saved the codes"
          checked={hasSaved}
          onChange={({ currentTarget }) => setHasSaved(currentTarget.checked)}
        />
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={() => save(text)}>
          Download
        </Button>
      </Group>
      <DialogButtons>
        <Button disabled={!hasSaved} onClick={onSaved}>
          Done
        </Button>
      </DialogButtons>
    </Stack>
  )
}

const save = (text: string) =>
  saveFile(
    'holdfast-recovery-codes.txt',
    new Blob([`Recovery codes of Holdfast at ${location.origin}\n\n${text}\n`], { type: 'text/plain' }),
  )

export function RenewCodes({ onClose }: { onClose: () => void }) {
  const renew = useAction('renew-recovery-codes', { refreshes: ['read-totp'] })
  const isAsking = renew.data === undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={isAsking ? 'Create new recovery codes?' : 'Save your recovery codes'}
      withCloseButton={isAsking}
      closeOnClickOutside={false}
      closeOnEscape={isAsking}
    >
      {isAsking ? (
        <IdentityForm asksCode action={renew} label="Create new codes" onClose={onClose}>
          Your current codes stop working.
        </IdentityForm>
      ) : (
        <RecoveryCodes codes={renew.data.recoveryCodes} onSaved={onClose} />
      )}
    </Modal>
  )
}
