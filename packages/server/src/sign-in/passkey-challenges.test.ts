import { expect, it } from 'vitest'
import { findRelyingParty } from './passkey-challenges.ts'

const partyAt = (host: string | undefined, publicUrl?: string) =>
  findRelyingParty({
    publicUrl,
    request: { host, requestId: '', operation: '', runId: undefined, clientAddress: '', userAgent: undefined },
  })

it('uses the configured name for passkeys, whatever a request says', () => {
  const party = { id: 'memory.example.org', origin: 'https://memory.example.org' }
  for (const host of ['memory.example.org', 'localhost:8420', 'evil.example', undefined])
    expect(partyAt(host, 'https://memory.example.org/')).toEqual(party)
  expect(partyAt('x', 'https://memory.example.org:8443/base')).toEqual({ ...party, origin: `${party.origin}:8443` })
})

it('finds a name for this machine, also by its address', () => {
  expect(partyAt('localhost:8420')).toEqual({ id: 'localhost', origin: 'http://localhost:8420' })
  expect(partyAt('memory.localhost')).toEqual({ id: 'memory.localhost', origin: 'http://memory.localhost' })
  for (const host of ['127.0.0.1:8420', '127.3.2.1:8420', '[::1]:8420'])
    expect(partyAt(host)).toEqual({ id: 'localhost', origin: 'http://localhost:8420' })
})

it('finds none if browsers would accept no passkey, or if only the caller provides the name', () => {
  for (const host of ['192.168.1.5:8420', '[fd00::1]', 'nas:8420', 'memory.example.org', 'localhost.evil.example', ''])
    expect([host, partyAt(host)]).toEqual([host, undefined])
  expect(partyAt(undefined)).toBeUndefined()
  for (const publicUrl of ['http://nas:8420', 'http://memory.example.org', 'https://192.168.1.5', 'https://[fd00::1]'])
    expect([publicUrl, partyAt('localhost', publicUrl)]).toEqual([publicUrl, undefined])
})
