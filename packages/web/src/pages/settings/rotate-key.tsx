import type { RotateRootKeyOutput } from '@holdfast/client/dashboard'
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useAction } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'
import { IdentityStep } from './identity-step.tsx'
import styles from './settings-page.module.css'

const lead =
  'Replaces the current key with a new one while the server keeps running. The old key is kept to read older backups.'

/** Asks for the password, rotates the key, and lists the remaining steps. */
export function RotateKey({ label, onClose }: { label: string; onClose: () => void }) {
  const rotate = useAction('rotate-root-key', { refreshes: ['read-root-key', 'read-system', 'check-system'] })
  const done = rotate.data
  return (
    <Modal opened onClose={onClose} title={titleOf(done)} closeOnClickOutside={false}>
      {done === undefined ? (
        <IdentityStep action={rotate} label={label} onClose={onClose}>
          {lead}
        </IdentityStep>
      ) : (
        <RemainingSteps done={done} onClose={onClose} />
      )}
    </Modal>
  )
}

function titleOf(done: RotateRootKeyOutput | undefined): string {
  if (done === undefined) return 'Rotate the encryption key?'
  return done.changed ? 'Key rotated' : 'Key not rotated'
}

function RemainingSteps({ done, onClose }: { done: RotateRootKeyOutput; onClose: () => void }) {
  const end = useRef<HTMLButtonElement>(null)
  // The element with the focus is gone.
  useEffect(() => end.current?.focus(), [])
  return (
    <Stack>
      {done.damaged > 0 && (
        <Alert color="red" variant="light">
          {countOf(done.damaged, 'wrapped key')} couldn’t be decrypted and didn’t change. See the server log for
          details.
        </Alert>
      )}
      <Text>{done.changed ? 'Next steps:' : 'To rotate it:'}</Text>
      <List type="ordered" spacing="xs" className={styles.what}>
        {done.next.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Group justify="flex-end">
        <Button ref={end} onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
