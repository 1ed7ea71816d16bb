import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { closed } from '../../test/closed.ts'
import { closeSlowRequests } from './close-slow-requests.ts'

const everyMs = 100
const severalMs = everyMs * 6

async function start(receive: (request: IncomingMessage) => void) {
  const server: Server = createServer(receive)
  const slow: Socket[] = []
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') slow.push(socket)
    socket.destroy()
  })
  onTestFinished(closeSlowRequests(server, everyMs))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const send = (bytes: number) => socket.write(Buffer.alloc(bytes, 'x'))
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n')
  return { socket, send, slow }
}

it('ends a request whose body arrives byte by byte', async () => {
  const { socket, send, slow } = await start((request) => request.resume())
  const drip = setInterval(() => send(1), 20)
  await closed(socket).finally(() => clearInterval(drip))
  expect(slow).toHaveLength(1)
})

it('waits for a body that arrives fast enough', async () => {
  const { socket, send, slow } = await start((request) => request.resume())
  const flow = setInterval(() => send(20_000), 20)
  await sleep(severalMs)
  clearInterval(flow)
  expect([slow.length, socket.destroyed]).toEqual([0, false])
})

it('waits if the server is the one that reads slowly', async () => {
  const { socket, send, slow } = await start(() => {})
  send(9_000_000)
  await sleep(severalMs)
  expect([slow.length, socket.destroyed]).toEqual([0, false])
})

it('leaves a connection alone on which nothing is being received', async () => {
  const answered = await start((request) => request.resume().once('end', () => {}))
  answered.send(10_000_000)
  await sleep(severalMs)
  expect([answered.slow.length, answered.socket.destroyed]).toEqual([0, false])
})
