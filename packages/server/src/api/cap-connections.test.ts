import { once } from 'node:events'
import { BlockList, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { closed } from '../../test/closed.ts'
import type { Config } from '../config.ts'
import { affordableConnections, readMaxFiles } from './cap-connections.ts'

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
    const answer = new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true))
    })
    const isAnswered = await Promise.race([answer, closed(socket).then(() => false)])
    return { socket, isAnswered }
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

const local = new BlockList()
local.addAddress('127.0.0.1')

it('closes the oldest idle connection above the total number, also of a trusted proxy', async () => {
  const config = { trustedProxies: [local], connections: { total: 7, perClient: 2 } }
  const { asked, answered } = await openMany(config, 9)
  expect(answered).toBe(9)
  const isOpen = ({ socket }: { socket: Socket }) => !socket.destroyed
  await expect.poll(() => asked.map(isOpen)).toEqual([false, false, ...Array<boolean>(7).fill(true)])
})

it('closes a new connection if something is being answered on all others', async () => {
  const connections = { total: 3, perClient: 3 }
  const { asked, ask } = await openMany({ trustedProxies: [local], connections }, 3)
  // Without its body, which the server waits for.
  for (const { socket } of asked) {
    socket.write('POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n')
    await once(socket, 'data')
  }
  expect((await ask()).isAnswered).toBe(false)
  expect(asked.map(({ socket }) => socket.destroyed)).toEqual([false, false, false])
})

it('closes connections of the client with the most, not those of others', async () => {
  const connections = { total: 8, perClient: 8 }
  const { app } = await startTestApp({ config: { host: '::', connections } })
  const port = Number(new URL(await app.listen()).port)
  const open = async (host: string) => {
    const socket = connect(port, host).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const quiet = await open('::1')
  const many: Socket[] = []
  for (let each = 0; each < 20; each++) many.push(await open('127.0.0.1'))
  await expect.poll(() => many.filter((socket) => !socket.destroyed).length).toBe(7)
  quiet.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(String(await once(quiet, 'data'))).toMatch(/^HTTP\/1.1 200/)
})

it('leaves files for the store if the system allows few', () => {
  expect(affordableConnections(4096, undefined)).toBe(4096)
  expect(affordableConnections(4096, 100_000)).toBe(4096)
  expect(affordableConnections(4096, 1024)).toBe(768)
  expect(affordableConnections(4096, 300)).toBe(150)
  expect(readMaxFiles()).toBeGreaterThan(100)
})

it('closes those of others before those of a trusted proxy, however many it has', async () => {
  const config = { host: '::', trustedProxies: [local], connections: { total: 8, perClient: 8 } }
  const { app } = await startTestApp({ config })
  const port = Number(new URL(await app.listen()).port)
  const open = async (host: string) => {
    const socket = connect(port, host).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const proxy: Socket[] = []
  for (let each = 0; each < 7; each++) proxy.push(await open('127.0.0.1'))
  const others = [await open('::1'), await open('::1')]
  await expect.poll(() => others.map((socket) => socket.destroyed)).toEqual([true, false])
  expect(proxy.filter((socket) => socket.destroyed)).toEqual([])
})
