import type { RotateEncryptionKeysOutput } from '@holdfast/client/dashboard'
import { Alert, Button, List, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import type { ProvenAction } from '../../components/forms/identity-form.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { IdentityStep } from './identity-step.tsx'
import styles from './settings-page.module.css'

/** `root` replaces a key at once; the others are replaced in the background. */
type Keys = 'root' | 'users' | 'vaults'

const leads: Record<Keys, string> = {
  root: 'Replaces the current key with a new one while the server keeps running. The old key is kept to read older backups.',
  users: 'Replaces the key of each user while the server keeps running. This takes about five minutes.',
  vaults:
    'Gives each vault a new key and encrypts all content again, while the server keeps running. Large vaults take a while. The old keys are deleted at the end.',
}

const questions: Record<Keys, string> = {
  root: 'Rotate the root key?',
  users: 'Rotate the keys of all users?',
  vaults: 'Rotate the keys of all vaults?',
}

interface Props {
  keys: Keys
  label: string
  onClose: () => void
}

/** Asks for the password, rotates the key, and lists the remaining steps. */
export function RotateKey({ keys, label, onClose }: Props) {
  const rotate = useAction('rotate-encryption-keys', {
    refreshes: ['read-encryption-keys', 'read-system', 'check-system'],
  })
  const action: ProvenAction = {
    isPending: rotate.isPending,
    mutate: (proof, options) => rotate.mutate({ ...proof, keys }, options),
  }
  const done = rotate.data
  return (
    <Modal
      opened
      onClose={onClose}
      title={done === undefined ? questions[keys] : titleOf(keys, done)}
      closeOnClickOutside={false}
    >
      {done === undefined ? (
        <IdentityStep action={action} label={label} onClose={onClose}>
          {leads[keys]}
        </IdentityStep>
      ) : (
        <RemainingSteps keys={keys} done={done} onClose={onClose} />
      )}
    </Modal>
  )
}

function titleOf(keys: Keys, { changed }: RotateEncryptionKeysOutput): string {
  if (keys === 'root') return changed ? 'Key rotated' : 'Key not rotated'
  return changed ? 'Rotation started' : 'Rotation not started'
}

interface DoneProps {
  keys: Keys
  done: RotateEncryptionKeysOutput
  onClose: () => void
}

function RemainingSteps({ keys, done, onClose }: DoneProps) {
  const end = useRef<HTMLButtonElement>(null)
  // The element with the focus is gone.
  useEffect(() => end.current?.focus(), [])
  return (
    <Stack>
      {done.damaged > 0 && (
        <Alert color="red" variant="light">
          {countOf(done.damaged, 'key')} couldn’t be decrypted and stayed unchanged. See the server log for details.
        </Alert>
      )}
      {keys === 'root' && <Text>{done.changed ? 'Next steps:' : 'To rotate it:'}</Text>}
      <List type={keys === 'root' ? 'ordered' : 'unordered'} spacing="xs" className={styles.what}>
        {done.next.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <DialogButtons>
        <Button ref={end} onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Stack>
  )
}
