import { expect, it } from 'vitest'
import { readEvents, type StreamEvent } from './read-events.ts'

async function read(...chunks: string[]): Promise<StreamEvent[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const events: StreamEvent[] = []
  for await (const event of readEvents(body)) events.push(event)
  return events
}

it('reads events wherever the network cuts them', async () => {
  const text = 'retry: 3000\n\nid: a-1\nevent: changed\ndata: {"vaultId":null,"types":["notes"]}\n\n'
  const expected = [{ id: 'a-1', event: 'changed', data: '{"vaultId":null,"types":["notes"]}' }]
  expect(await read(text)).toEqual(expected)
  expect(await read(...text.split(''))).toEqual(expected)
})

it('skips heartbeats, and an event that the connection cut off', async () => {
  expect(await read(':\n\n', ':\n\nid: a-2\nevent: missed\ndata: {}\n\n', 'id: a-3\nevent: changed\n')).toEqual([
    { id: 'a-2', event: 'missed', data: '{}' },
  ])
})
