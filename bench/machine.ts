import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'

/** The memory and processor time of a process, from Linux. */
export interface ProcessFacts {
  rssBytes: number
  /** The highest value since it started. */
  peakRssBytes: number
  /** User and system time of all its threads, accurate to 10 ms. */
  cpuMs: number
}

// On every platform that Node supports, /proc counts processor time in hundredths of a second.
const tickMs = 10

export function readProcess(pid: number): ProcessFacts {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // The name is in brackets and may contain anything; only numbers follow.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return {
    rssBytes: kilobytes(status, 'VmRSS'),
    peakRssBytes: kilobytes(status, 'VmHWM'),
    cpuMs: (Number(stat[11]) + Number(stat[12])) * tickMs,
  }
}

/** Milliseconds of processor time by thread, accurate to a microsecond. */
export type ThreadTimes = ReadonlyMap<string, number>

export function readThreads(pid: number): ThreadTimes {
  const folder = `/proc/${pid}/task`
  const times = new Map(readdirSync(folder).flatMap((thread) => readThread(folder, thread)))
  if (![...times.values()].some((ms) => ms > 0)) throw new Error(`The kernel counts no processor time in ${folder}`)
  return times
}

/** Empty if the thread has ended since the folder was read. */
function readThread(folder: string, thread: string): [string, number][] {
  try {
    const nanoseconds = readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ', 1)[0]
    return [[thread, Number(nanoseconds) / 1e6]]
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return []
    throw error
  }
}

/** What threads that have ended meanwhile used since `before` is left out. */
export const cpuMsBetween = (before: ThreadTimes, after: ThreadTimes): number =>
  [...after].reduce((sum, [thread, ms]) => sum + ms - (before.get(thread) ?? 0), 0)

function kilobytes(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)
  if (found === null) throw new Error(`/proc has no ${name}`)
  return Number(found[1]) * 1024
}

/** Returns the size of all files in a folder. */
export const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** Describes in one line where the figures come from. */
export const describeMachine = (dataDir: string): string => `${describeHardware(dataDir)} · commit ${describeCommit()}`

/** The same without the commit. */
export function describeHardware(dataDir: string): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return [
    `${cpus().length} × ${model}`,
    `${gigabytes} GiB`,
    readFileSystem(dataDir),
    `${platform()} ${majorMinor(release())} ${arch()}`,
    `Node ${process.versions.node}`,
  ].join(' · ')
}

// The rest of a kernel version names its build, which should not be published.
const majorMinor = (version: string) => version.split('.', 2).join('.')

function readFileSystem(folder: string): string {
  const lines = execFileSync('df', ['-PT', folder], { encoding: 'utf8' }).trim().split('\n')
  return lines.at(-1)?.split(/\s+/)[1] ?? 'unknown file system'
}

export function describeCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
  } catch {
    return 'unknown'
  }
}

/** Call it before measuring, and what it returns afterwards: figures of a busy machine are those of a busy machine. */
export function watchLoad(): () => string {
  const before = loadavg()[0] ?? 0
  return () => `Load average ${before.toFixed(2)} before, ${(loadavg()[0] ?? 0).toFixed(2)} after.`
}
