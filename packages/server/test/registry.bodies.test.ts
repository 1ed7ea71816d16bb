import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/api/registry.ts'
import { useTestApp } from './app.ts'
import { keyFor, makeWorld, type World } from './sweep-world.ts'

/** How every operation with a body treats one that is not a JSON object, of another type, or too large. */

const test = useTestApp()

// One world for all: a rejected body changes nothing.
let world: World
beforeAll(async () => {
  world = await makeWorld(test())
})

const withBodies = routes.filter(({ method }) => method === 'POST' || method === 'PATCH')

describe.each(withBodies)('$name', (operation) => {
  const send = (raw: string | Buffer, headers: Record<string, string> = {}) => {
    const key = keyFor(test(), operation, world)
    const { audience } = operation
    return test().call(operation.name, undefined, { raw, headers, audience, ...(key !== undefined && { key }) })
  }

  it('accepts only a JSON object', async () => {
    for (const raw of ['[]', '[{}]', 'null', '"x"', '7', 'true'])
      expect([raw, await send(raw)]).toMatchObject([
        raw,
        { status: 400, body: { error: expect.stringMatching(/must be a JSON object/) } },
      ])
    for (const raw of ['{', '{"a":}', '{}x', "{'a':1}", ' ', '\u0000'])
      expect([raw, await send(raw)]).toMatchObject([
        raw,
        { status: 400, body: { fields: { '': 'the body is not valid JSON' } } },
      ])
    expect((await send(Buffer.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))).body.error).toMatch(/UTF-8/)
    expect((await send('{"zzz":"\\ud800"}')).body.fields).toHaveProperty('zzz')
  })

  it('rejects a body of another type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
      '',
    ])
      expect([type, (await send('{"a":1}', { 'content-type': type })).status]).toEqual([type, 415])
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json;charset=UTF-8'])
      expect([type, (await send('{"a":1}', { 'content-type': type })).status]).not.toEqual([type, 415])
  })

  it('rejects a body that is larger than its limit', async () => {
    const { bodyLimitBytes } = operation
    const padded = (bytes: number) => `{"zzz":"${'x'.repeat(bytes - 10)}"}`
    expect(padded(bodyLimitBytes)).toHaveLength(bodyLimitBytes)
    const over = await send(padded(bodyLimitBytes + 1))
    expect([over.status, over.body]).toEqual([413, { error: `Request body is larger than ${bodyLimitBytes} bytes` }])
    expect((await send(padded(bodyLimitBytes))).status).not.toBe(413)
  })
})
