import { describe, expect, it } from 'vitest'
import { equalBytes, hashSecret, isWellFormedSecret, lastFour, newSecret, type SecretPrefix } from './secrets.ts'

const prefixes: SecretPrefix[] = ['svc_', 'hfd_', 'hfo_', 'hfs_', 'hfc_', 'hfk_']

describe('newSecret', () => {
  it.each(prefixes)('creates well-formed secrets of 53 characters with the prefix %s', (prefix) => {
    // Of 500, about eight have a leading zero that must be padded.
    for (let count = 0; count < 500; count++) {
      const secret = newSecret(prefix)
      expect(secret).toMatch(/^[a-z]{3}_[0-9A-Za-z]{49}$/)
      expect(isWellFormedSecret(prefix, secret)).toBe(true)
    }
  })

  it('never creates the same secret twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newSecret('svc_'))).size).toBe(1000)
  })
})

describe('isWellFormedSecret', () => {
  const secret = newSecret('svc_')

  it('rejects every change of one character', () => {
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === 'x' ? 'y' : 'x'
      expect(isWellFormedSecret('svc_', secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false)
    }
  })

  it('rejects a secret of another kind', () => {
    expect(isWellFormedSecret('hfd_', secret)).toBe(false)
    expect(isWellFormedSecret('hfd_', `hfd_${secret.slice(4)}`)).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['only the prefix', 'svc_'],
    ['a truncated one', secret.slice(0, -1)],
    ['a longer one', `${secret}0`],
    ['one followed by a line break', `${secret}\n`],
    ['one after a space', ` ${secret}`],
    ['other characters', `svc_${'-'.repeat(49)}`],
    ['letters beyond ASCII', `svc_${'é'.repeat(49)}`],
  ])('rejects %s', (_, text) => {
    expect(isWellFormedSecret('svc_', text)).toBe(false)
  })
})

describe('hashSecret', () => {
  it('returns 32 bytes that are equal only for equal secrets', () => {
    const secret = newSecret('svc_')
    expect(hashSecret(secret)).toHaveLength(32)
    expect(hashSecret(secret)).toEqual(hashSecret(secret))
    expect(hashSecret(secret)).not.toEqual(hashSecret(newSecret('svc_')))
  })
})

describe('equalBytes', () => {
  it.each([
    ['', '', true],
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'ab', false],
    ['', 'a', false],
  ])('compares %j with %j', (a, b, equal) => {
    expect(equalBytes(Buffer.from(a), Buffer.from(b))).toBe(equal)
  })
})

describe('lastFour', () => {
  it('shows only characters of the checksum', () => {
    const secret = newSecret('svc_')
    expect(lastFour(secret)).toBe(secret.slice(49))
  })
})
