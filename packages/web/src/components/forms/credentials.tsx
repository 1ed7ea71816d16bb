import { TextInput, type TextInputProps, Anchor } from '@mantine/core'
import { findObstacle } from '../../api/passkeys.ts'

/** The field for a code from an authenticator app. Browsers may fill it in. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    autoComplete="one-time-code"
    inputMode="numeric"
    spellCheck={false}
    placeholder="123 456"
    maxLength={40}
    {...props}
  />
)

/** The same where a recovery code works too. */
export const CodeField = (props: TextInputProps) => (
  <CodeInput label="Code" description="The current code in your app, or a recovery code." inputMode="text" {...props} />
)

/** Explains why passkeys do not work on this page, if so. `path`: the page to open at the address where they do. */
export function PasskeyPlace({ origin, path }: { origin: string | null; path: string }) {
  const obstacle = findObstacle(origin)
  if (obstacle === undefined) return null
  if (obstacle === 'browser') return <>This browser doesn’t support passkeys. Use another one.</>
  if (obstacle === 'elsewhere' && origin !== null)
    return (
      <>
        Passkeys work at{' '}
        <Anchor href={origin + path} inherit underline="always">
          {origin}
        </Anchor>
        , but not at this page’s address.
      </>
    )
  return (
    <>
      Passkeys need an address with a host name and TLS. The operator sets it as <code>HOLDFAST_PUBLIC_URL</code>.
    </>
  )
}
