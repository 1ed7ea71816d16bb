import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from './http-client.ts'
import { readProcess } from './machine.ts'
import { summarise } from './samples.ts'
import { findFreePort } from './server.ts'
import { timeCalls, type TimedCalls } from './timed-calls.ts'

/** What no server on this machine can beat, measured in the same run, so that ratios hold where milliseconds do not. */
export interface Floor {
  /** 8 KiB appended to a file and synced, one after the other. */
  sync: TimedCalls
  /** The bare framework answering the same body, with 1 and with 16 connections. */
  echo: TimedCalls
  echo16: TimedCalls
  /** Milliseconds from the start of the bare framework's process to its first answer. */
  echoStartMs: number
  echoRssBytes: number
}

const appendBytes = 8 * 1024

/** `body` is one of those that the server will be sent. */
export async function measureFloor(folder: string, body: unknown, calls: number): Promise<Floor> {
  return { sync: measureSync(folder, calls), ...(await measureEcho(body, calls)) }
}

function measureSync(folder: string, count: number): TimedCalls {
  const path = join(folder, 'floor')
  const file = openSync(path, 'w')
  const bytes = Buffer.alloc(appendBytes, 'x')
  const samples = new Float64Array(count)
  const start = performance.now()
  for (let number = 0; number < count; number++) {
    const before = performance.now()
    writeSync(file, bytes)
    fdatasyncSync(file)
    samples[number] = performance.now() - before
  }
  const perSecond = (count * 1_000) / (performance.now() - start)
  closeSync(file)
  rmSync(path)
  return { times: summarise(samples), perSecond }
}

async function measureEcho(body: unknown, calls: number): Promise<Omit<Floor, 'sync'>> {
  const port = await findFreePort()
  const started = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'echo.ts'), String(port)], { stdio: 'inherit' })
  const client = createClient(`http://127.0.0.1:${port}`, undefined, 16)
  try {
    await waitForEcho(client)
    const echoStartMs = performance.now() - started
    const post = () => client.post('/', body)
    await timeCalls(calls, 1, post)
    const echo = await timeCalls(calls, 1, post)
    const echo16 = await timeCalls(calls * 4, 16, post)
    return { echo, echo16, echoStartMs, echoRssBytes: readProcess(child.pid ?? 0).rssBytes }
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
