import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { CallError } from './call-error.ts'
import { call, type InputOf, type OutputOf } from './call.ts'

/** What the browser and the devices behind it do with passkeys. What words their requests is loaded once somebody wants one. */
const loadLibrary = () => import('@simplewebauthn/browser')

/** Why passkeys do not work on this page; undefined where they do. `origin`: where they work, as the server says. */
export function findObstacle(origin: string | null): 'no-name' | 'elsewhere' | 'browser' | undefined {
  if (origin === null) return 'no-name'
  if (origin !== location.origin) return 'elsewhere'
  return 'PublicKeyCredential' in globalThis ? undefined : 'browser'
}

/** Throws an error that says what to do. */
export async function createPasskey(
  options: OutputOf<'begin-passkey'>['options'],
): Promise<Omit<InputOf<'add-passkey'>, 'name'>> {
  const { startRegistration } = await loadLibrary()
  // The server hands back what browsers said of their devices, which types know as a list of words.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON }).catch(explain)
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { credentialId: id, clientDataJSON, attestationObject, transports }
}

/** The same; asks the server for what is to be signed, and signs in. */
export async function signInWithPasskey(): Promise<OutputOf<'passkey-login'>> {
  const { startAuthentication } = await loadLibrary()
  const { options } = await call('passkey-challenge', {})
  if (options === null) throw new Error('Passkeys do not work at this address.')
  const { id, response } = await startAuthentication({ optionsJSON: options }).catch(explain)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  if (userHandle === undefined) throw new Error(unknownHere)
  const answer = { credentialId: id, clientDataJSON, authenticatorData, signature, userHandle }
  return call('passkey-login', answer).catch((error: unknown) => {
    throw error instanceof CallError && error.status === 401 ? new Error(unknownHere) : error
  })
}

const unknownHere = 'This passkey opens nothing here. It may have been removed: sign in with your password.'

const problems: Readonly<Record<string, string>> = {
  // Browsers do not tell one from the other.
  NotAllowedError: 'Your browser was given no passkey: it was cancelled, or took too long. Try again.',
  AbortError: 'It was cancelled. Try again.',
  InvalidStateError: 'This device has a passkey for this account already.',
  NotSupportedError: 'This device makes no passkeys of the kind that is needed here.',
  ConstraintError: 'This device cannot recognise you: set up a PIN, fingerprint or face on it first.',
}

function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  throw new Error(problems[name] ?? 'Your browser could not use a passkey here. Try another browser or device.', {
    cause: error,
  })
}
