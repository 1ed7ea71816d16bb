import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Watches which files of a folder some processes sync to the disk, with strace. */

export interface Sync {
  path: string
  /** When it ended, in milliseconds since 1970. */
  at: number
}

/** From the request to its acknowledgement, in milliseconds since 1970. */
export interface Span {
  from: number
  to: number
}

export const hasStrace = (): boolean => spawnSync('strace', ['--version']).status === 0

/** Returns a function that stops watching and returns what was synced meanwhile. Throws if it may not watch these processes. */
export async function watchSyncs(
  pids: readonly number[],
  folder: string,
  traceFile: string,
): Promise<() => Promise<Sync[]>> {
  const attach = pids.flatMap((pid) => ['-p', String(pid)])
  const calls = 'fsync,fdatasync,syncfs,msync'
  const args = ['-f', '-y', '-ttt', '-T', '-e', `trace=${calls}`, '-o', traceFile, ...attach]
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(tracer, 'exit')
  let said = ''
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const deadline = performance.now() + 10_000
  while (!pids.every((pid) => said.includes(`Process ${pid} attached`))) {
    if (tracer.exitCode !== null || performance.now() > deadline) {
      tracer.kill()
      throw new Error(`strace can't watch it: ${said.trim()}`)
    }
    await sleep(20)
  }
  return async () => {
    tracer.kill('SIGINT')
    await ended
    const real = realpathSync(folder)
    return parseTrace(readFileSync(traceFile, 'utf8')).filter(({ path }) => path.startsWith(real))
  }
}

const line = /^(\d+) +(\d+\.\d+) (.*)$/
const whole = /^\w+\(\d+<([^>]*)>.*\) += 0 <(\d+\.\d+)>$/
const begun = /^\w+\(\d+<([^>]*)>.*<unfinished \.\.\.>$/
const resumed = /^<\.\.\. \w+ resumed>.* = 0 <\d+\.\d+>$/

/** The successful calls in the output of strace with -f, -y, -ttt and -T. */
export function parseTrace(text: string): Sync[] {
  const unfinished = new Map<string, string>()
  return text.split('\n').flatMap((one): Sync[] => {
    const [, thread = '', time = '', call = ''] = line.exec(one) ?? []
    const [, path, seconds] = whole.exec(call) ?? []
    if (path !== undefined) return [{ path, at: (Number(time) + Number(seconds)) * 1_000 }]
    const [, beginning] = begun.exec(call) ?? []
    if (beginning !== undefined) unfinished.set(thread, beginning)
    const waiting = unfinished.get(thread)
    return resumed.test(call) && waiting !== undefined ? [{ path: waiting, at: Number(time) * 1_000 }] : []
  })
}

/** How many of the writes were acknowledged only after a sync. */
export const countSynced = (writes: readonly Span[], syncs: readonly Sync[]): number =>
  writes.filter(({ from, to }) => syncs.some(({ at }) => at >= from && at <= to)).length
