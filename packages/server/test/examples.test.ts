import { expect, it } from 'vitest'
import { routes } from '../src/api/registry.ts'
import { startTestApp } from './app.ts'
import { makeAgent, makeUser } from './factories.ts'

const exampleOf = (name: string) => routes.find((operation) => operation.name === name)?.examples.input as object

it('the message examples work one after the other: sent, found and acknowledged', async () => {
  const test = await startTestApp()
  const key = await makeAgent(test, await makeUser(test))
  const run = (name: string, change: object = {}) => test.call(name, { ...exampleOf(name), ...change }, { key })
  const { messageId } = (await run('send-message')).body
  expect((await run('pending-messages')).body.messages).toMatchObject([{ messageId }])
  expect((await run('ack-message', { messageId })).body).toMatchObject({ acknowledged: true })
  expect((await run('pending-messages')).body.messages).toEqual([])
})
