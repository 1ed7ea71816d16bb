import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readProcess } from '../machine.ts'

export interface Command {
  program: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Gets its output. */
  logFile: string
  cwd: string
}

const stopTimeoutMs = 10_000

/** Starts a program that ends with this process at the latest. */
export function startProcess({ program, args, env, logFile, cwd }: Command): ChildProcess {
  const log = openSync(logFile, 'a')
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', log, log] })
  closeSync(log)
  const kill = () => killTrees([child.pid ?? 0])
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Asks it to stop, and kills it if it doesn't. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  const tree = findTrees([child.pid ?? 0])
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(stopTimeoutMs, undefined, { ref: false })])
  await killAll(tree)
}

/** Kills processes with all that they started, and waits until they are gone. */
export const killTrees = (roots: readonly number[]): Promise<void> => killAll(findTrees(roots))

async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid)
  while (pids.some(isRunning)) await sleep(5)
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** A process that only waits for its parent to collect its exit code has ended. */
function isRunning(pid: number): boolean {
  const fields = readStat(pid)
  return fields !== undefined && fields[0] !== 'Z' && fields[0] !== 'X'
}

/** The processes and their descendants. */
export function findTrees(roots: readonly number[]): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      const fields = readStat(Number(name))
      return fields === undefined ? [] : [[Number(name), Number(fields[1])]]
    })
  return collectTrees(
    roots.filter((root) => root > 1 && readStat(root) !== undefined),
    parents,
  )
}

/** `parents`: the parent of each process. */
export function collectTrees(roots: readonly number[], parents: readonly (readonly [number, number])[]): number[] {
  const found = new Set(roots)
  // A set iterates over what is added meanwhile.
  for (const parent of found) for (const [pid, its] of parents) if (its === parent) found.add(pid)
  return [...found]
}

/** The resident memory of all, where pages that they share count for each. */
export const sumRss = (pids: readonly number[]): number =>
  pids.filter(isRunning).reduce((sum, pid) => sum + readProcess(pid).rssBytes, 0)

/** State, parent and what follows in /proc; undefined if there is no such process. */
function readStat(pid: number): string[] | undefined {
  try {
    // The name is in brackets and may contain anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
