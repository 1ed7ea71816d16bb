// Setup of every test file. The files of a worker share its process: leftovers of one file would affect the others, so the file that
// causes them fails.

import { deepStrictEqual } from 'node:assert'
import { afterAll, beforeAll } from 'vitest'

const readProcess = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  clock: [Date, Date.now, setTimeout, setInterval, setImmediate, queueMicrotask],
  network: [fetch, WebSocket],
  listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
})

let before: ReturnType<typeof readProcess>

beforeAll(() => {
  before = readProcess()
})

afterAll(() => deepStrictEqual(readProcess(), before, 'the test file leaves something of its own behind'))
