// Set-up of every test file. The files of a worker share its process: what one of them leaves behind would change the others, so
// the one that leaves it fails.

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
