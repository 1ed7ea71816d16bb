import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { CallError } from './call-error.ts'
import { call, type InputOf, type OutputOf } from './call.ts'

/** The browser's side of passkeys. The library is loaded when it is first needed. */
const loadLibrary = () => import('@simplewebauthn/browser')

/**
 * Why passkeys don't work on this page; undefined if they do. `origin` is where the server accepts them. On another machine than the server's,
 * such as a phone, its `localhost` leads to that machine itself.
 */
export function findObstacle(origin: string | null): 'no-name' | 'elsewhere' | 'browser' | undefined {
  if (origin === null) return 'no-name'
  if (origin !== location.origin) return isLocal(new URL(origin)) && !isLocal(location) ? 'no-name' : 'elsewhere'
  return 'PublicKeyCredential' in globalThis ? undefined : 'browser'
}

const isLocal = ({ hostname }: Pick<URL, 'hostname'>) => /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname)

/** Throws an error that says what to do. */
export async function createPasskey(
  options: OutputOf<'begin-passkey'>['options'],
): Promise<Omit<InputOf<'create-passkey'>, 'name'>> {
  const { startRegistration } = await loadLibrary()
  // The server returns `transports` as plain strings; the library's type is a union.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON }).catch(explain)
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { credentialId: id, clientDataJSON, attestationObject, transports }
}

/** Gets a challenge from the server, has it signed, and signs in. Throws an error that says what to do. */
export async function signInWithPasskey(): Promise<OutputOf<'log-in-with-passkey'>> {
  const { startAuthentication } = await loadLibrary()
  const { options } = await call('get-passkey-challenge', {})
  if (options === null) throw new Error('Passkeys don’t work at this address. Sign in with your password.')
  const { id, response } = await startAuthentication({ optionsJSON: options }).catch(explain)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  if (userHandle === undefined) throw new Error(unknownHere)
  const answer = { credentialId: id, clientDataJSON, authenticatorData, signature, userHandle }
  return call('log-in-with-passkey', answer).catch((error: unknown) => {
    throw error instanceof CallError && error.status === 401 ? new Error(unknownHere) : error
  })
}

const unknownHere = 'This passkey isn’t registered here. It may have been removed. Sign in with your password.'

const problems: Readonly<Record<string, string>> = {
  // Browsers report both cases with the same error.
  NotAllowedError: 'No passkey was used: the request was canceled or timed out. Try again.',
  AbortError: 'The request was canceled. Try again.',
  InvalidStateError: 'This device already has a passkey for this account.',
  NotSupportedError: 'This device doesn’t support the kind of passkey that Holdfast needs. Use another device.',
  ConstraintError: 'This device can’t verify you. Set up a PIN, fingerprint or face recognition on it first.',
}

function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  throw new Error(problems[name] ?? 'Your browser couldn’t use a passkey. Try another browser or device.', {
    cause: error,
  })
}
