import { Alert, Button, Divider, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { findObstacle, signInWithPasskey } from '../../api/passkeys.ts'
import { useOperation } from '../../api/queries.ts'
import { explainGuess } from '../../components/forms/field-errors.ts'
import { PasskeyPlace } from '../../components/forms/credentials.tsx'

/** In place of e-mail and password. Nothing where the server has no address for it, or none is reached. */
export function PasskeyEntry({ onEntered }: { onEntered: (answer: { user: { userId: string } }) => void }) {
  const place = useOperation('passkey-challenge', {})
  const enter = useMutation({ mutationFn: signInWithPasskey, onSuccess: onEntered })
  if (place.data === undefined || place.data.origin === null) return null
  const { origin } = place.data
  if (findObstacle(origin) !== undefined)
    return (
      <Text size="sm" c="dimmed">
        <PasskeyPlace origin={origin} path={location.pathname + location.search} />
      </Text>
    )
  return (
    <>
      <Divider label="or" />
      {enter.error !== null && (
        <Alert color="red" variant="light" role="alert">
          {explainGuess(enter.error)}
        </Alert>
      )}
      <Button
        variant="default"
        leftSection={<Fingerprint size={16} aria-hidden />}
        loading={enter.isPending}
        onClick={() => enter.mutate()}
        fullWidth
      >
        Sign in with a passkey
      </Button>
    </>
  )
}
