import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '../http-client.ts'
import type { Connection, OpenPeer } from './peer.ts'
import { findTrees, hasEnded, killTrees, startProcess, stopProcess, type Command } from './processes.ts'

export interface HttpPeer {
  command: Command
  url: string
  key?: string
  /** Answers 200 when the server is ready. */
  healthPath: string
  calls: (client: Client) => Connection
}

const startTimeoutMs = 120_000

/** Starts a server over HTTP and waits until it answers. */
export async function openHttpPeer({ command, url, key, healthPath, calls }: HttpPeer): Promise<OpenPeer> {
  const child = startProcess(command)
  const clients: Client[] = []
  const newClient = () => {
    const client = createClient(url, key, 1)
    clients.push(client)
    return client
  }
  const end = async (how: () => Promise<void>) => {
    for (const client of clients) client.close()
    await how()
  }
  const stop = () => end(() => stopProcess(child))
  const first = newClient()
  const deadline = performance.now() + startTimeoutMs
  while (!(await answers(first, healthPath))) {
    if (hasEnded(child) || performance.now() > deadline) {
      await stop()
      throw new Error(`It did not start: ${findReason(readFileSync(command.logFile, 'utf8'))}`)
    }
    await sleep(10)
  }
  return {
    connect: () => Promise.resolve(calls(newClient())),
    pids: () => findTrees([child.pid ?? 0]),
    stop,
    kill: () => end(() => killTrees([child.pid ?? 0])),
  }
}

const answers = (client: Client, path: string): Promise<boolean> =>
  client.getText(path).then(
    () => true,
    () => false,
  )

/** The last line of an output that names an error, or else the last one with text. */
export function findReason(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return (lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim()
}

/** For a read of what may be missing: undefined if the server answers 404. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && / answered 404:/.test(error.message)) return undefined
    throw error
  }
}
