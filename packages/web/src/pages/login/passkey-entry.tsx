import { Alert, Button, Divider, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { findObstacle, signInWithPasskey } from '../../api/passkeys.ts'
import { useOperation } from '../../api/queries.ts'
import { explainGuess } from '../../components/forms/field-errors.ts'
import { PasskeyPlace } from '../../components/forms/credentials.tsx'

/** Signs in with a passkey. Renders nothing if the server has no address for passkeys or can't be reached. */
export function PasskeyEntry({ onSignedIn }: { onSignedIn: (answer: { user: { userId: string } }) => void }) {
  const place = useOperation('get-passkey-challenge', {})
  const signIn = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn })
  if (place.data === undefined) return null
  const { origin } = place.data
  const obstacle = findObstacle(origin)
  if (obstacle === 'no-name') return null
  if (obstacle !== undefined)
    return (
      <Text size="sm" c="dimmed">
        <PasskeyPlace origin={origin} path={location.pathname + location.search} />
      </Text>
    )
  return (
    <>
      <Divider label="or" />
      {signIn.error !== null && (
        <Alert color="red" variant="light" role="alert">
          {explainGuess(signIn.error)}
        </Alert>
      )}
      <Button
        variant="default"
        leftSection={<Fingerprint size={16} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
        fullWidth
      >
        Sign in with a passkey
      </Button>
    </>
  )
}
