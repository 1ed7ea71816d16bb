import { expect, it } from 'vitest'
import { describeClient } from './session-client.ts'
import { processorMs } from '../../test/processor-time.ts'

const browserOf = (userAgent: string | undefined) => describeClient({ userAgent, clientAddress: '127.0.0.1' }).browser
const originOf = (clientAddress: string) => describeClient({ userAgent: undefined, clientAddress }).origin

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
    'Automated Chrome on Linux',
  ],
  ['curl/8.14.1', 'Unknown program'],
  ['<script>alert(1)</script> Chrome/1', 'Chrome'],
  [undefined, 'Unknown program'],
])('%s is %s', (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name)
})

it('reads long headers quickly', () => {
  expect(processorMs(() => browserOf('Version/1 '.repeat(1_600)))).toBeLessThan(200)
})

it('distinguishes this machine, its network and the internet, in every spelling', () => {
  for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) expect(originOf(address)).toBe('machine')
  for (const address of ['192.168.1.7', '10.0.0.9', '100.100.1.1', 'fd00::7', '::ffff:192.168.1.7'])
    expect(originOf(address)).toBe('network')
  for (const address of ['1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1']) expect(originOf(address)).toBe('internet')
  for (const address of ['', 'local']) expect(originOf(address)).toBe('unknown')
})
