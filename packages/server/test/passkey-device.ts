import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { sha256 } from '../src/crypto/hash.ts'
import type { PasskeyAnswer } from '../src/crypto/passkey.ts'

/** What a person's device and browser do together, by WebAuthn: one passkey, ECDSA with P-256. */
export interface PasskeyDevice {
  credentialId: string
  /** The public key in plain text, to check that it is not stored that way. */
  publicKey: Buffer
  /** Answers begin-passkey. */
  create(options: CreationOptions, quirks?: Quirks): NewPasskey
  /** Answers passkey-challenge. */
  get(options: RequestOptions, quirks?: Quirks): PasskeyAnswer & { userHandle: string }
}

/** As create-passkey takes it. */
interface NewPasskey {
  credentialId: string
  clientDataJSON: string
  attestationObject: string
  transports: string[]
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

export interface RequestOptions {
  challenge: string
  rpId: string
}

/** What can be wrong with an answer. */
interface Quirks {
  origin?: string
  rpId?: string
  /** Whether the device has verified the user. */
  isVerified?: boolean
  counter?: number
}

const present = 0x01
const verified = 0x04
const withKey = 0x40

export function makePasskeyDevice(): PasskeyDevice {
  const id = randomBytes(16)
  const credentialId = id.toString('base64url')
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [xBytes, yBytes] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  let handle = ''
  return {
    credentialId,
    publicKey: xBytes,
    create({ challenge, rp, user }, quirks = {}) {
      handle = user.id
      // kty 2, alg -7, crv 1, x, y
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        xBytes,
        Buffer.from('225820', 'hex'),
        yBytes,
      ])
      const attested = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, key])
      const authData = Buffer.concat([headOf({ rpId: rp.id, ...quirks }, withKey), attested])
      const attestation = [
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.of(0xa0),
        text('authData'),
        bytes(authData),
      ]
      return {
        credentialId,
        clientDataJSON: clientData('webauthn.create', challenge, quirks),
        attestationObject: Buffer.concat([Buffer.of(0xa3), ...attestation]).toString('base64url'),
        transports: ['internal'],
      }
    },
    get({ challenge, rpId }, quirks = {}) {
      const clientDataJSON = clientData('webauthn.get', challenge, quirks)
      const authData = headOf({ rpId, ...quirks }, 0)
      const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return {
        credentialId,
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: handle,
      }
    },
  }
}

function headOf({ rpId = '', isVerified = true, counter = 0 }: Quirks, flags: number): Buffer {
  const all = flags | present | (isVerified ? verified : 0)
  return Buffer.concat([sha256(rpId), Buffer.of(all), uint(counter, 4)])
}

const clientData = (type: string, challenge: string, { origin = 'http://localhost' }: Quirks): string =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')

function uint(value: number, length: number): Buffer {
  const out = Buffer.alloc(length)
  out.writeUIntBE(value, 0, length)
  return out
}

// CBOR, as far as needed: short texts and bytes.
const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
const bytes = (value: Buffer) => Buffer.concat([Buffer.of(0x59), uint(value.length, 2), value])
