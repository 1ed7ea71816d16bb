import { describe, expect, it } from 'vitest'
import { redactSecrets } from './redact.ts'

// Put together here, so that no scanner takes them for real ones.
const filler = (length: number) => 'aB3dE5fG7hJ9kL1m'.repeat(10).slice(0, length)

describe('redactSecrets', () => {
  it.each([
    ['our own keys', `export KEY=svc_${filler(49)}`, `svc_${filler(49)}`],
    ['keys of model providers', `use sk-proj-${filler(40)} here`, filler(40)],
    ['tokens of code hosts', `ghp_${filler(36)}`, filler(36)],
    ['access keys of clouds', ['AK', 'IA', 'ABCDEFGH23456789'].join(''), 'ABCDEFGH23456789'],
    ['signed web tokens', `eyJ${filler(20)}.eyJ${filler(20)}.${filler(20)}`, filler(20)],
    ['headers', `Authorization: Bearer ${filler(20)}`, filler(20)],
    ['passwords in addresses', 'postgres://app:wet-stone@db.internal/app', 'wet-stone'],
    ['passwords in sentences', 'The password is violets-under-stone, keep it.', 'violets-under-stone'],
    ['passwords in configurations', '"api_key": "violets under a stone"', 'violets under a stone'],
    ['private keys', `-----BEGIN PRIVATE KEY-----\n${filler(64)}\n-----END PRIVATE KEY-----`, filler(64)],
    ['private keys that are cut off', `-----BEGIN RSA PRIVATE KEY-----\n${filler(64)}`, filler(64)],
    ['long runs of letters and digits', `digest ${filler(48)}`, filler(48)],
  ])('takes out %s', (_what, text, secret) => {
    expect(redactSecrets(text)).not.toContain(secret)
    expect(redactSecrets(text)).toContain('[redacted]')
  })

  it('leaves alone what people and programs write otherwise', () => {
    const plain = [
      'The secret of good tomatoes is water before nine.',
      'See packages/server/src/sessions/gather-parts.ts and thisIsAVeryLongCamelCaseIdentifierWithoutAnyDigits.',
      'Memory 0198c5f0-0000-7000-8000-000000000001 says so; the tokens of a list are cheap.',
      'https://example.org/a/b?c=d',
    ]
    for (const text of plain) expect(redactSecrets(text)).toBe(text)
  })

  it('takes no longer than the text is long', () => {
    const texts = [
      'a'.repeat(200_000),
      'password '.repeat(20_000),
      '://'.repeat(60_000),
      'aB3_'.repeat(50_000),
      '-----BEGIN '.repeat(20_000),
    ]
    const begin = performance.now()
    for (const text of texts) redactSecrets(text)
    expect(performance.now() - begin).toBeLessThan(4000)
  })
})
