import { Anchor } from '@mantine/core'
import { findObstacle } from '../../api/passkeys.ts'

/** Why passkeys do not work on this page, in a sentence; nothing where they do. `path`: where to go on, at the address at which they work. */
export function PasskeyPlace({ origin, path }: { origin: string | null; path: string }) {
  const obstacle = findObstacle(origin)
  if (obstacle === undefined) return null
  if (obstacle === 'browser') return <>This browser has no passkeys: use another one.</>
  if (obstacle === 'elsewhere' && origin !== null)
    return (
      <>
        Passkeys work at{' '}
        <Anchor href={origin + path} inherit underline="always">
          {origin}
        </Anchor>
        , not at the address that this page was opened at.
      </>
    )
  return (
    <>
      Passkeys need an address with a name and TLS. Whoever runs the server sets it as <code>HOLDFAST_PUBLIC_URL</code>.
    </>
  )
}
