import type { Passkey } from '@holdfast/client/dashboard'
import { Button, Group, Stack, Text, Modal, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useFocusAfter } from '../../components/feedback/use-focus-after.ts'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { findObstacle } from '../../api/passkeys.ts'
import { useOperation, useAction } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { PasskeyPlace } from '../../components/forms/credentials.tsx'
import { CommandAside } from './command-aside.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'
import { useForm } from '@mantine/form'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { IdentityForm } from '../../components/forms/identity-form.tsx'
import { useResetCommand } from './use-reset-command.ts'

const path = '/settings/passkeys'

export function PasskeysSection() {
  const resetFactor = useResetCommand()
  const list = useOperation('list-passkeys', {})
  const hasFactor = (useOperation('read-totp', {}).data?.totp ?? null) !== null
  const [isAdding, setIsAdding] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const findNext = () => addButton.current ?? place.current
  return (
    <Section title="Passkeys" lead="Sign in with your fingerprint, face or PIN instead of email, password and code.">
      <Loaded query={list}>
        {({ passkeys, origin }) => (
          <>
            <Stack ref={place} tabIndex={-1}>
              {passkeys.length === 0 ? (
                <Text>No passkeys yet.</Text>
              ) : (
                <ul className={styles.rows} aria-label="Passkeys">
                  {passkeys.map((passkey) => (
                    <PasskeyRow key={passkey.id} passkey={passkey} findNext={findNext} />
                  ))}
                </ul>
              )}
              {findObstacle(origin) === undefined ? (
                <div>
                  <Button
                    ref={addButton}
                    variant={passkeys.length === 0 ? 'filled' : 'default'}
                    leftSection={<Plus size={16} aria-hidden />}
                    onClick={() => setIsAdding(true)}
                  >
                    Add a passkey
                  </Button>
                </div>
              ) : (
                <Obstacle origin={origin} />
              )}
              {passkeys.length > 0 && (
                <Text size="sm" c="dimmed">
                  Your password keeps working if you lose a device.
                </Text>
              )}
            </Stack>
            {(hasFactor || passkeys.length > 0) && (
              <CommandAside title="Remove your second factor and all your passkeys" code={resetFactor} />
            )}
          </>
        )}
      </Loaded>
      <AddPasskey isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Section>
  )
}

/** Why passkeys can't be added here, and the way to where they can. */
function Obstacle({ origin }: { origin: string | null }) {
  if (origin === null || findObstacle(origin) !== 'elsewhere')
    return (
      <Text>
        <PasskeyPlace origin={origin} path={path} />
      </Text>
    )
  return (
    <>
      <Text>Passkeys work only at {origin}. You opened this server at another address.</Text>
      <div>
        <Button component="a" href={origin + path}>
          Open {new URL(origin).host}
        </Button>
      </div>
    </>
  )
}

interface RowProps {
  passkey: Passkey
  /** What gets the focus once the row is gone. */
  findNext: () => HTMLElement | null
}

function PasskeyRow({ passkey, findNext }: RowProps) {
  const noteRemoved = useFocusAfter(findNext)
  const [step, setStep] = useState<'rename' | 'remove'>()
  const close = () => setStep(undefined)
  const { name, createdAt, lastUsedAt } = passkey
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>{name}</div>
        <Text size="sm" c="dimmed">
          Added <Moment at={createdAt} /> ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Moment at={lastUsedAt} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" variant="default" aria-label={`Rename ${name}`} onClick={() => setStep('rename')}>
          Rename
        </Button>
        <Button size="xs" variant="default" aria-label={`Remove ${name}`} onClick={() => setStep('remove')}>
          Remove
        </Button>
      </Group>
      <RenamePasskey passkey={passkey} isOpen={step === 'rename'} onClose={close} />
      <RemovePasskey passkey={passkey} isOpen={step === 'remove'} onClose={close} onRemoved={noteRemoved} />
    </li>
  )
}

interface RenamePasskeyProps {
  passkey: Passkey
  onClose: () => void
}

function RenamePasskey({ isOpen, ...props }: RenamePasskeyProps & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={props.onClose} title="Rename passkey">
      <NameForm {...props} />
    </Modal>
  )
}

function NameForm({ passkey: { id, name }, onClose }: RenamePasskeyProps) {
  const form = useForm({
    initialValues: { name },
    validate: { name: (value) => (value.trim() === '' ? 'Enter a name' : null) },
  })
  const rename = useAction('update-passkey', {
    refreshes: ['list-passkeys'],
    onDone({ passkey }) {
      toast(`Passkey renamed to ${passkey.name}`)
      onClose()
    },
  })
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        rename.mutate({ id, name: values.name.trim() }, { onError: (error) => showErrors(form, error) }),
      )}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Used only on this page. The name on your device doesn’t change."
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={rename.isPending}>
            Rename
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

interface RemovePasskeyProps {
  passkey: Passkey
  isOpen: boolean
  onClose: () => void
  /** Called before the list reloads and the row disappears. */
  onRemoved: () => void
}

function RemovePasskey({ passkey: { id, name }, isOpen, onClose, onRemoved }: RemovePasskeyProps) {
  const remove = useAction('delete-passkey', {
    refreshes: ['list-passkeys', 'list-sessions'],
    onDone() {
      toast(`Passkey ${name} removed`)
      onRemoved()
      onClose()
    },
  })
  const action = {
    isPending: remove.isPending,
    mutate: (given: { password: string }, options: { onError: (error: Error) => void }) =>
      remove.mutate({ id, ...given }, options),
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Remove ${name}?`}>
      <IdentityForm action={action} label="Remove" onClose={onClose}>
        It can no longer be used to sign in, and you are signed out everywhere else. Your device still lists it, so
        delete it there as well.
      </IdentityForm>
    </Modal>
  )
}
