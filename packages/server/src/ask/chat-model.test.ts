import { expect, it } from 'vitest'
import { ServiceError } from '../core/errors.ts'
import { ModelError } from '../turns/chat-endpoint.ts'
import { complete, useFakeModel } from '../turns/testing/fake-model.ts'
import { createChatModel } from './chat-model.ts'

const model = useFakeModel()

function start(timeoutMs = 5_000) {
  let nowMs = 0
  const chat = createChatModel({ url: model.url, key: undefined, model: 'small', timeoutMs }, () => nowMs)
  const ask = (signal = new AbortController().signal) =>
    chat.answer([{ role: 'user', content: 'When?' }], { signal, onText() {} })
  const failure = async (asked: Promise<string>) => {
    const error: unknown = await asked.then(
      (text) => text,
      (thrown: unknown) => thrown,
    )
    return error instanceof ModelError ? error.code : error
  }
  return { chat, ask, failure, advance: (ms: number) => void (nowMs += ms) }
}

it('leaves a model alone that keeps failing, and tries it again later', async () => {
  const { ask, failure, advance } = start()
  model.respond = (_, response) => response.writeHead(503).end()
  for (let count = 0; count < 5; count++) expect(await failure(ask())).toBe('http_503')
  expect(await failure(ask())).toBe('breaker_open')
  expect(model.seen).toHaveLength(5)
  model.respond = (_, response) => complete(response, 'Soon.')
  advance(1_000)
  expect(await ask()).toBe('Soon.')
})

it('does not count refused questions as failures', async () => {
  const { ask, failure } = start()
  model.respond = (_, response) => response.writeHead(400).end()
  for (let count = 0; count < 6; count++) expect(await failure(ask())).toBe('http_400')
})

it('does not count empty answers as failures, which one stored text could cause for everyone', async () => {
  const { ask, failure } = start()
  model.respond = (_, response) => complete(response, ' ')
  for (let count = 0; count < 6; count++) expect(await failure(ask())).toBe('empty')
})

it('gives up after its time limit, and when the caller goes', async () => {
  model.respond = () => {}
  const slow = start(50)
  expect(await slow.failure(slow.ask())).toBe('timeout')
  const gone = new AbortController()
  const { ask, failure } = start()
  const asked = failure(ask(gone.signal))
  gone.abort()
  expect(await asked).toBe('aborted')
})

it('cuts an endless answer', async () => {
  const { ask } = start()
  model.respond = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const part = `data: ${JSON.stringify({ choices: [{ delta: { content: 'a'.repeat(1_000) } }] })}\n\n`
    for (let count = 0; count < 100; count++) response.write(part)
  }
  expect(await ask()).toBe('a'.repeat(8_000))
})

it('works for a few people at once', async () => {
  const { chat } = start()
  const release: (() => void)[] = []
  const waiting = Array.from({ length: 4 }, (_, at) =>
    chat.alone(`user ${at}`, () => new Promise<void>((resolve) => release.push(resolve))),
  )
  const refused = await chat.alone('user 5', async () => {}).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ServiceError)
  expect(refused).toMatchObject({ code: 'overloaded' })
  for (const one of release) one()
  await Promise.all(waiting)
  expect(await chat.alone('user 5', async () => 'now')).toBe('now')
})
