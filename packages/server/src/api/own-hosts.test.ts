import { expect, it } from 'vitest'
import { isOwnHost, isOwnOrigin } from './own-hosts.ts'

const own = { publicUrl: 'https://memory.example.org/path', host: '0.0.0.0', allowedHosts: ['holdfast.lan'] }

it.each([
  'localhost',
  'LOCALHOST:8420',
  '127.0.0.1:1',
  '[::1]',
  '10.0.0.7',
  'holdfast:8420',
  'a.localhost',
  'memory.example.org',
  'holdfast.lan:8420',
])('%s is our own name', (host) => {
  expect(isOwnHost(host, own)).toBe(true)
  expect(isOwnOrigin(`http://${host}`, own)).toBe(true)
})

it.each([
  'evil.example',
  'memory.example.org.evil.example',
  'xmemory.example.org',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'a@evil.example',
  'evil.example.',
])('%s is not our own name', (host) => {
  expect(isOwnHost(host, own)).toBe(false)
  expect(isOwnOrigin(`http://${host}`, own)).toBe(false)
})

it('a request without a host is rejected, and one without an origin is not from a page', () => {
  expect([isOwnHost(undefined, own), isOwnHost('', own), isOwnHost('%', own)]).toEqual([false, false, false])
  expect([isOwnOrigin(undefined, own), isOwnOrigin('null', own), isOwnOrigin('file:///x', own)]).toEqual([
    true,
    false,
    false,
  ])
})
