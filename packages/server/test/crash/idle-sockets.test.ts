import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { setUp, siteFor, startServer } from './server-process.ts'

/** Node looks at time limits every 5 seconds, and the process gives memory back every 2 seconds. */
const severalTimersMs = 6_000

const open = async (port: number, first: string): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  if (first !== '') socket.write(first)
  return socket
}

/** What they say before they wait: nothing, half of a request, or a whole one, after whose answer they stay. */
const firsts = ['', 'GET /healthz HTTP/1.1\r\nHost: local', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n']

describe.skipIf(process.platform === 'win32')('2,000 idle connections', () => {
  eachDialect('with', (dialect) => {
    it('do not keep others from calling a server that may open 1,024 files', async () => {
      const site = { ...siteFor(await dialect.freshUrl()), maxFiles: 1024 }
      // All come from one address: without the number per address, only the total counts.
      site.env['HOLDFAST_TRUSTED_PROXY'] = '127.0.0.1'
      const { agentKey } = await setUp(site)
      const { url, output } = await startServer(site)
      const port = Number(new URL(url).port)
      const write = async () => {
        const answer = await fetch(`${url}/api/agent/write-memory`, {
          method: 'POST',
          headers: { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify({ content: 'violets' }),
        })
        return answer.status
      }
      for (let opened = 0; opened < 2_000; opened += 10)
        await Promise.all(Array.from({ length: 10 }, (__, n) => open(port, firsts[(opened + n) % firsts.length] ?? '')))
      expect(await write()).toBe(201)
      await sleep(severalTimersMs)
      expect(await write()).toBe(201)
      expect(output()).not.toContain('unexpected error')
    })
  })
})
