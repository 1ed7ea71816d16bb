import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readJsonBody } from './read-body.ts'

/** What the server has of a request whose sender is cut off after the first half of its body. */
async function receiveHalf(): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":',
  )
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  socket.destroy()
  return request
}

const cutOff = { code: 'invalid', fields: { '': 'the body was cut off' } }

describe('a body whose sender leaves in the middle', () => {
  it('is refused while it is read', async () => {
    const request = await receiveHalf()
    await expect(readJsonBody(request, request.headers, 100)).rejects.toMatchObject(cutOff)
  })

  it('is refused when they had left before the reading began', async () => {
    const request = await receiveHalf()
    await new Promise((resolve) => request.once('close', resolve))
    await expect(readJsonBody(request, request.headers, 100)).rejects.toMatchObject(cutOff)
  })
})
