import type { RotateRootKeyOutput } from '@holdfast/client/dashboard'
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useAction, useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { BothFactorsForm } from './both-factors-form.tsx'
import { PasswordStep } from './password-step.tsx'
import styles from './settings-page.module.css'

const lead =
  'A new key takes the place of the one in use. Nothing stops meanwhile. The former key is kept for backups from before.'

/** Asks who it is, changes the key, and says what is left to do. */
export function RotateKey({ label, onClose }: { label: string; onClose: () => void }) {
  const factor = useOperation('read-totp', {})
  const rotate = useAction('rotate-root-key', { refreshes: ['read-root-key', 'system', 'check-system'] })
  const done = rotate.data
  return (
    <Modal opened onClose={onClose} title={titleOf(done)} closeOnClickOutside={false}>
      {done === undefined ? (
        <Loaded query={factor}>
          {({ totp }) =>
            totp === null ? (
              <PasswordStep action={rotate} label={label} onClose={onClose}>
                {lead}
              </PasswordStep>
            ) : (
              <BothFactorsForm action={rotate} label={label} onClose={onClose}>
                {lead}
              </BothFactorsForm>
            )
          }
        </Loaded>
      ) : (
        <WhatIsLeft done={done} onClose={onClose} />
      )}
    </Modal>
  )
}

function titleOf(done: RotateRootKeyOutput | undefined): string {
  if (done === undefined) return 'Change the encryption key?'
  return done.changed ? 'The key is changed' : 'Nothing was changed'
}

function WhatIsLeft({ done, onClose }: { done: RotateRootKeyOutput; onClose: () => void }) {
  const end = useRef<HTMLButtonElement>(null)
  // What had the focus is gone.
  useEffect(() => end.current?.focus(), [])
  return (
    <Stack>
      {done.damaged > 0 && (
        <Alert color="red" variant="light">
          {countOf(done.damaged, 'wrapped key')} did not open and stayed as it was. The log of the server names them.
        </Alert>
      )}
      <Text>{done.changed ? 'Now, in this order:' : 'To change it:'}</Text>
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
