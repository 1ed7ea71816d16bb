import { once } from 'node:events'
import { BlockList, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import type { Config } from '../config.ts'

/** Opens connections, each of which asks for the state of the server. Returns how many were answered. */
async function openMany(config: Partial<Config>, count: number) {
  const { app } = await startTestApp({ config })
  const port = Number(new URL(await app.listen()).port)
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  const ask = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const answer = await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
    return { socket, isAnswered: answer }
  }
  const asked = []
  for (let each = 0; each < count; each++) asked.push(await ask())
  return { asked, ask, answered: asked.filter(({ isAnswered }) => isAnswered).length }
}

it('closes connections above the number of one client, until others are closed', async () => {
  const { asked, ask, answered } = await openMany({ connections: { total: 100, perClient: 5 } }, 8)
  expect(answered).toBe(5)
  const [first] = asked
  first?.socket.destroy()
  await expect.poll(async () => (await ask()).isAnswered).toBe(true)
})

it('closes connections above the total number, also from a trusted proxy', async () => {
  const local = new BlockList()
  local.addAddress('127.0.0.1')
  const config = { trustedProxies: [local], connections: { total: 7, perClient: 2 } }
  expect((await openMany(config, 9)).answered).toBe(7)
})
