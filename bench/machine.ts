import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'

/** What a process holds and has used, as Linux tells it. */
export interface ProcessFacts {
  rssBytes: number
  /** The most it ever held. */
  peakRssBytes: number
  /** User and system time of all its threads, to 10 ms. */
  cpuMs: number
}

// The kernel counts processor time for /proc in hundredths of a second on every platform that Node supports.
const tickMs = 10

export function readProcess(pid: number): ProcessFacts {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // The name stands in brackets and may hold anything; what follows it is numbers.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return {
    rssBytes: kilobytes(status, 'VmRSS'),
    peakRssBytes: kilobytes(status, 'VmHWM'),
    cpuMs: (Number(stat[11]) + Number(stat[12])) * tickMs,
  }
}

function kilobytes(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)
  if (found === null) throw new Error(`/proc does not tell ${name}`)
  return Number(found[1]) * 1024
}

/** Bytes of all files in a folder. */
export const folderBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** One line that says where the figures come from. */
export function describeMachine(dataDir: string): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return [
    `${cpus().length} × ${model}`,
    `${gigabytes} GiB`,
    fileSystemOf(dataDir),
    `${platform()} ${majorMinor(release())} ${arch()}`,
    `Node ${process.versions.node}`,
    `commit ${describeCommit()}`,
  ].join(' · ')
}

// The rest of a kernel's version names its build, which is nobody's business.
const majorMinor = (version: string) => version.split('.', 2).join('.')

function fileSystemOf(folder: string): string {
  const lines = execFileSync('df', ['-PT', folder], { encoding: 'utf8' }).trim().split('\n')
  return lines.at(-1)?.split(/\s+/)[1] ?? 'unknown file system'
}

function describeCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
  } catch {
    return 'unknown'
  }
}
