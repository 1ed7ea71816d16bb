import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { S3Settings } from '../s3/client.ts'

/** It has no types. */
interface S3Server {
  configureBuckets(): Promise<unknown>
  callback(): RequestListener
}
const require = createRequire(import.meta.url)
const S3rver = require('@20minutes/s3rver') as new (options: object) => S3Server

interface TestS3 {
  settings: S3Settings
  /** Method and path with query of each request. */
  seen: string[]
  /** Handles a request instead of the server if it returns true. */
  fail: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Milliseconds until the server handles a request. */
  delay: number
  stop(): Promise<void>
  start(): Promise<void>
}

/** A server that checks signatures and keeps its objects in a folder, which ends with the test. */
export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-s3-'))
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: 'backups', configs: [] }] })
  await s3.configureBuckets()
  const handle = s3.callback()
  const server = createServer((request, response) => {
    test.seen.push(`${request.method} ${request.url}`)
    if (test.fail(request, response)) return
    if (test.delay === 0) handle(request, response)
    else setTimeout(() => handle(request, response), test.delay)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const test: TestS3 = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'backups',
      prefix: 'ours/',
      keyId: 'S3RVER',
      secret: 'S3RVER',
    },
    seen: [],
    fail: () => false,
    delay: 0,
    start: () => listen(port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  onTestFinished(async () => {
    if (server.listening) await test.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return test
}
