import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from './http-client.ts'
import { readProcess } from './machine.ts'
import { findFreePort } from './server.ts'
import { timeCalls, timeCallsTo, type CallFigures } from './timed-calls.ts'

/** What no server can beat, measured in the same run. Ratios to it hold on other machines; milliseconds do not. */
export interface EchoFloor {
  /** The framework alone, answering with the same body, over 1 and over 16 connections. */
  echo: CallFigures
  echo16: CallFigures
  /** Milliseconds from the start of the framework's process to its first answer. */
  echoStartMs: number
  echoRssBytes: number
}

const appendBytes = 8 * 1024

/** Appends 8 KiB to a file in `folder` and syncs it, `count` times. Returns the milliseconds of each. */
export function timeSyncs(folder: string, count: number): Float64Array {
  const path = join(folder, 'floor')
  const file = openSync(path, 'w')
  const bytes = Buffer.alloc(appendBytes, 'x')
  const samples = new Float64Array(count)
  for (let number = 0; number < count; number++) {
    const start = performance.now()
    writeSync(file, bytes)
    fdatasyncSync(file)
    samples[number] = performance.now() - start
  }
  closeSync(file)
  rmSync(path)
  return samples
}

/** `body` is a body like the ones that the server receives. */
export async function measureEcho(body: unknown, calls: number): Promise<EchoFloor> {
  const port = await findFreePort()
  const started = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'echo.ts'), String(port)], { stdio: 'inherit' })
  const { pid } = child
  if (pid === undefined) throw new Error('The echo server did not start')
  const client = createClient(`http://127.0.0.1:${port}`, undefined, 16)
  try {
    await waitForEcho(client)
    const echoStartMs = performance.now() - started
    const post = () => client.post('/', body)
    await timeCalls(calls, 1, post)
    const echo = await timeCallsTo(pid, calls, 1, post)
    const echo16 = await timeCallsTo(pid, calls * 4, 16, post)
    return { echo, echo16, echoStartMs, echoRssBytes: readProcess(pid).rssBytes }
  } finally {
    client.close()
    child.kill()
    await once(child, 'exit')
  }
}

async function waitForEcho(client: Client): Promise<void> {
  for (let tries = 0; tries < 5_000; tries++) {
    const isAnswered = await client.get('/').then(
      () => true,
      () => false,
    )
    if (isAnswered) return
    await sleep(2)
  }
  throw new Error('The echo server did not answer')
}
