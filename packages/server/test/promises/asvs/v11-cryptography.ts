import { crash, source, test } from '../proof.ts'
import { level1, level2, met, notMet, type Chapter } from './requirement.ts'

const inventory = 'docs/encryption.md#inventory'

export const cryptography: Chapter = {
  id: 'V11',
  name: 'Cryptography',
  requirements: {
    '11.1.1': level2(
      'How keys are created, used, replaced and destroyed is documented',
      met(
        'Including who has each key, how much it may encrypt, and what each rotation does and doesn’t do. The pages follow no published standard for key management by name.',
        'docs/encryption.md#keys',
        'docs/encryption.md#rotating-the-root-key',
        'docs/self-hosting.md#rotating-encryption-keys',
      ),
    ),
    '11.1.2': level2(
      'All keys and algorithms are listed',
      met('With the data that each one protects.', inventory, 'docs/encryption.md#keys', 'docs/stored-columns.md'),
    ),
    '11.2.1': level2(
      'Established implementations are used',
      met(
        'OpenSSL through Node, a binding of the Rust implementation for argon2id, and known libraries for codes and passkeys. One file calls ciphers.',
        source('crypto/gcm.test.ts', 'is called only from this file'),
        test('architecture.test.ts', 'uses ciphers, hashes and keys of the platform only in crypto/'),
        source('crypto/wycheproof.test.ts', 'agree with AES-256-GCM in all 66 that have a 96-bit nonce'),
        inventory,
      ),
    ),
    '11.2.2': level2(
      'Algorithms and keys can be replaced',
      notMet(
        'Each value and each wrap names its version, suite and key, and the root key and the keys of users and vaults are replaced while the server runs. But the instance key, which encrypts email addresses and labels, and the keys of tags can’t be replaced, and there is only one suite.',
        'A root key that was replaced makes a copy of the wrapped instance key useless for later copies of the database, unless both were copied before.',
        crash('rotate-keys.test.ts', 'fails no call and leaves no row unreadable'),
        source(
          'rotation/scope-keys.test.ts',
          'are replaced in every sealed column, step by step, while everything stays readable',
        ),
        'docs/encryption.md#rotating-the-keys-of-users-and-vaults',
      ),
    ),
    '11.2.3': level2(
      'All primitives have at least 128 bits of security',
      notMet(
        'What Holdfast chooses has. Passkeys on some devices use RSA keys of 2,048 bits (about 112 bits), and the server accepts them.',
        'Such a key signs a new challenge at each sign-in and protects nothing for longer. Devices that can use Ed25519 or P-256, which the server asks for first.',
        'packages/server/src/crypto/passkey.ts',
        inventory,
      ),
    ),
    '11.3.1': level1(
      'No insecure modes or padding',
      met(
        'Only AES-256-GCM.',
        source('crypto/gcm.test.ts', 'is called only from this file', 'rejects a tag cut to %d bytes'),
      ),
    ),
    '11.3.2': level1(
      'Only approved ciphers',
      met(
        'Only AES-256-GCM.',
        source('crypto/wycheproof.test.ts', 'agree with AES-256-GCM in all 66 that have a 96-bit nonce'),
        inventory,
      ),
    ),
    '11.3.3': level2(
      'Encrypted data can’t be changed unnoticed',
      met(
        'Each value is authenticated with its place.',
        source('crypto/moved-cells.long.test.ts', 'no cell opens after it was moved, exchanged, cut or changed'),
        crash('swaps.test.ts', 'of memories and links is rejected wherever it was moved to'),
      ),
    ),
    '11.4.1': level1(
      'Only approved hash functions',
      notMet(
        'SHA-256 everywhere, except in the codes of authenticator apps: HMAC-SHA-1, because many apps support nothing else (RFC 6238).',
        'No collision attack on SHA-1 weakens HMAC with it, codes are valid for 90 seconds, and the secrets have 160 bits.',
        source('crypto/totp.test.ts', 'match RFC 6238 at %d s'),
        inventory,
      ),
    ),
    '11.4.2': level2(
      'Passwords are stored with a costly function',
      met(
        'argon2id with 64 MiB and three passes.',
        source('auth/passwords.test.ts', 'are argon2id with its parameters, and differ each time'),
      ),
    ),
    '11.4.3': level2(
      'Hash functions for integrity are long enough',
      met(
        'SHA-256; tags of 128 bits are keyed.',
        source('crypto/tags.test.ts', 'returns 16 bytes that depend on kind, value and scope'),
        inventory,
      ),
    ),
    '11.4.4': level2(
      'Keys from passwords are derived at a cost',
      met(
        'For encrypted exports: argon2id with 256 MiB and three passes.',
        source('crypto/passphrase-box.test.ts', 'makes each guess at a passphrase cost 256 MiB and three passes'),
      ),
    ),
    '11.5.1': level2(
      'Secrets have at least 128 random bits from a secure generator',
      met(
        'Keys and credentials have 256, recovery codes 140, codes of apps come from 160. No id is used as a secret.',
        source('crypto/secrets.test.ts', 'never creates the same secret twice'),
        source(
          'crypto/recovery-code.test.ts',
          'are 28 characters in groups of four, without letters that look like digits, and differ each time',
        ),
        source('crypto/keys.test.ts', 'creates another 32-byte key each time'),
      ),
    ),
    '11.6.1': level2(
      'Only approved algorithms for signatures and key pairs',
      met(
        'The server creates no key pairs. It checks signatures of passkeys: Ed25519, ECDSA with P-256, RSA with SHA-256.',
        'packages/server/src/crypto/passkey.ts',
        inventory,
      ),
    ),
  },
}
