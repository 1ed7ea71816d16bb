import type { AttestationObject } from '@simplewebauthn/server/helpers'

/** Signatures of passkeys (WebAuthn), as browsers hand them over: base64url throughout. */

/** For which site a passkey is made, and the one origin at which it is used. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Ed25519, ECDSA with P-256, RSA: one of them every authenticator has. */
export const passkeyAlgorithms = [-8, -7, -257] as const

export interface PasskeyCredential {
  /** As the authenticator calls it. */
  id: string
  publicKey: string
  /** How a browser reaches the authenticator. */
  transports: string[]
}

/** What is to be signed, and where. */
interface Expected {
  party: RelyingParty
  challenge: string
}

/** What an answer says that it answers; undefined where it cannot be read. Whether that was signed is still to be seen. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const said = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown } | null
    return typeof said?.challenge === 'string' ? said.challenge : undefined
  } catch {
    return undefined
  }
}

interface NewPasskeyAnswer {
  credentialId: string
  clientDataJSON: string
  attestationObject: string
  transports: string[]
}

/** Undefined for what is no passkey of this site, made now by somebody whom the device has recognised. */
export async function verifyNewPasskey(
  { credentialId, transports, ...given }: NewPasskeyAnswer,
  expected: Expected,
): Promise<{ credential: PasskeyCredential; counter: number } | undefined> {
  const { verifyRegistrationResponse, decodeAttestationObject } = await loadLibrary()
  const made = await ifIntact(async () => {
    refuseCertificates(decodeAttestationObject(Buffer.from(given.attestationObject, 'base64url')))
    return verifyRegistrationResponse({
      ...demands(expected),
      supportedAlgorithmIDs: [...passkeyAlgorithms],
      response: { ...envelope(credentialId), response: given },
    })
  })
  const credential = made?.registrationInfo?.credential
  // The library takes the name from what was signed; what stands beside it must be the same.
  if (credential === undefined || credential.id !== credentialId) return undefined
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  return { credential: { id: credential.id, publicKey, transports }, counter: credential.counter }
}

export interface PasskeyAnswer {
  credentialId: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
}

/**
 * How often it has signed, now included; undefined unless this passkey signed that challenge for this site, for somebody whom
 * the device has recognised. `counter`: after its last use.
 */
export async function verifyPasskey(
  { credentialId, ...given }: PasskeyAnswer,
  expected: Expected,
  { credential, counter }: { credential: PasskeyCredential; counter: number },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const shown = await ifIntact(() =>
    verifyAuthenticationResponse({
      ...demands(expected),
      credential: { id: credential.id, publicKey: Buffer.from(credential.publicKey, 'base64url'), counter },
      response: { ...envelope(credentialId), response: given },
    }),
  )
  return shown?.verified === true ? shown.authenticationInfo.newCounter : undefined
}

// On first use: it takes 250 ms, and most starts and commands need none of it.
async function loadLibrary() {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...library, ...helpers }
}

const demands = ({ party: { id, origin }, challenge }: Expected) => ({
  expectedRPID: id,
  expectedOrigin: origin,
  expectedChallenge: challenge,
  requireUserVerification: true,
})

const envelope = (id: string) => ({ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} })

/** The library throws for everything that is not as it should be, and all of it comes from the caller. */
const ifIntact = <T>(verify: () => Promise<T>): Promise<T | undefined> => verify().catch(() => undefined)

/**
 * None is asked for, and browsers then send none. The library would follow the addresses of revocation lists that stand in
 * them, and this server calls no address that a caller names.
 */
function refuseCertificates(attestation: AttestationObject): void {
  const isOwn = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (attestation.get('fmt') !== 'none' && !isOwn) throw new TypeError('certificates were not asked for')
}
