import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from './http-client.ts'
import { readProcess } from './machine.ts'
import { findFreePort } from './server.ts'
import { timeCalls, timeCallsTo, type CallFigures } from './timed-calls.ts'

/** What no server can beat, measured in the same run, so that ratios hold on other machines where milliseconds do not. */
export interface EchoFloor {
  /** The bare framework answering the same body, with 1 and with 16 connections. */
  echo: CallFigures
  echo16: CallFigures
  /** Milliseconds from the start of the bare framework's process to its first answer. */
  echoStartMs: number
  echoRssBytes: number
}

const appendBytes = 8 * 1024

/** Milliseconds of each of `count` appends of 8 KiB, synced one after the other to a file in `folder`. */
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

/** `body` is one of those that the server will be sent. */
export async function measureEcho(body: unknown, calls: number): Promise<EchoFloor> {
  const port = await findFreePort()
  const started = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'echo.ts'), String(port)], { stdio: 'inherit' })
  const { pid } = child
  if (pid === undefined) throw new Error('The echo server could not be run')
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
  throw new Error('The echo server did not come up')
}
