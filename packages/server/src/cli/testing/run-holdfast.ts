import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { findProgram } from '../../../test/program.ts'
import type { Finished } from './run-command.ts'

/** The real process, as people and scripts start it, on its own data folder. */

// Like the start script: caches compiled code between processes.
const compileCache = join(import.meta.dirname, '../../../../../.runtime/compile-cache')
export const password = 'violets under a wet stone\n'

interface Place {
  dataDir: string
  env: Record<string, string | undefined>
}

export async function makePlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-cli-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const dataDir = join(root, 'data')
  const given = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'))
  const settings = {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_KEY_DIR: join(root, 'keys'),
    HOLDFAST_PORT: '0',
    NODE_COMPILE_CACHE: compileCache,
  }
  return { dataDir, env: { ...Object.fromEntries(given), ...settings } }
}

export function start(
  { env }: Place,
  args: string[],
): { child: ChildProcess; finished: Promise<Finished>; output(): string } {
  const child = spawn(process.execPath, [findProgram(), ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const finished = new Promise<Finished>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  return { child, finished, output: () => stdout + stderr }
}

export async function holdfast(place: Place, args: string[], stdin = ''): Promise<Finished> {
  const { child, finished } = start(place, args)
  child.stdin?.end(stdin)
  return finished
}

export async function json(place: Place, args: string[], stdin = ''): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await holdfast(place, [...args, '--json'], stdin)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Record<string, unknown>
}

export const setUp = (place: Place) =>
  json(place, ['setup', '--email', 'ada@example.org', '--password-stdin'], password)

/** Starts a server and waits for the message that says where it is. */
export async function serve(place: Place) {
  const server = start(place, ['serve'])
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.finished
  })
  for (let waitedMs = 0; !server.output().includes('Stop with'); waitedMs += 50) {
    if (waitedMs > 20_000 || server.child.exitCode !== null) throw new Error(`no start: ${server.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const url = /Address\s+(\S+)/.exec(server.output())?.[1] ?? ''
  return { ...server, url }
}

export const infoOf = async (url: string, agentKey: unknown) =>
  (await fetch(`${url}/api/agent/info`, { headers: { Authorization: `Bearer ${String(agentKey)}` } })).status
