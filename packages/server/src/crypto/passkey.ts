import type { AttestationObject } from '@simplewebauthn/server/helpers'

/** Verifies passkey (WebAuthn) signatures as browsers send them, in base64url. */

/** The site that a passkey is for, and the only origin where it may be used. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Ed25519, ECDSA with P-256, RSA. Every authenticator supports one of them. */
export const passkeyAlgorithms = [-8, -7, -257] as const

export interface PasskeyCredential {
  /** The authenticator's id for it. */
  id: string
  publicKey: string
  /** How a browser reaches the authenticator. */
  transports: string[]
}

/** The challenge that must be signed, and for which site. */
interface Expected {
  party: RelyingParty
  challenge: string
}

/** The challenge in an answer, not verified yet. Undefined if the answer can't be parsed. */
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

/** Undefined unless this is a new passkey for this site and this challenge, and the device verified its user. */
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
  // The library takes the id from the signed data. The id sent with it must be the same.
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
 * Returns the passkey's new signature counter. Undefined unless this passkey signed that challenge for this site and the device
 * verified its user. `counter`: the value after its last use.
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

// Loaded on first use: it takes 250 ms, and most starts and commands don't need it.
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

/** The library throws on any invalid data, and all data comes from the caller. */
const ifIntact = <T>(verify: () => Promise<T>): Promise<T | undefined> => verify().catch(() => undefined)

/**
 * We don't request certificates, so browsers send none. The library would fetch revocation lists from URLs in the certificates,
 * and this server must not call URLs that a caller chooses.
 */
function refuseCertificates(attestation: AttestationObject): void {
  const isOwn = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (attestation.get('fmt') !== 'none' && !isOwn) throw new TypeError('certificates were not requested')
}
