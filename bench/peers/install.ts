import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNpm } from '../../scripts/bootstrap-npm.mjs'
import { findReason } from './http-peer.ts'

/** Installs packages with the clients of their registries, in exact versions. Their dependencies are the newest that those allow. */

/** `overrides`: versions of dependencies. */
export async function installFromNpm(
  folder: string,
  packages: readonly string[],
  overrides: Readonly<Record<string, string>> = {},
): Promise<void> {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ private: true, overrides })}\n`)
  const npm = findNpm()
  if (npm === undefined) throw new Error('There is no npm')
  const flags = ['--save-exact', '--no-audit', '--no-fund', '--omit=dev']
  await runInstaller(folder, process.execPath, [npm, 'install', ...flags, ...packages])
}

/** Creates a virtual environment in `folder`. */
export async function installFromPyPi(folder: string, packages: readonly string[]): Promise<void> {
  await runInstaller(folder, findPython(), ['-m', 'venv', '.'])
  await runInstaller(folder, join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages])
}

/** Compiles a program of crates.io, which takes minutes, and keeps only the program. */
export async function installFromCrates(folder: string, crate: string, version: string): Promise<void> {
  await runInstaller(folder, 'cargo', ['install', crate, '--version', version, '--locked', '--quiet', '--root', folder])
}

const pythons = ['python3.13', 'python3.12', 'python3.11', 'python3', '/usr/bin/python3']
const canLoadExtensions =
  'import sqlite3, sys; c = sqlite3.connect(":memory:"); sys.exit(not hasattr(c, "enable_load_extension"))'

/** Memory servers in Python keep vectors in an extension of SQLite, which some builds of Python can't load. */
function findPython(): string {
  const found = pythons.find((python) => spawnSync(python, ['-c', canLoadExtensions]).status === 0)
  if (found === undefined) throw new Error('There is no Python 3 that can load extensions of SQLite')
  return found
}

/** A failure has the line in which the installer says why. */
async function runInstaller(cwd: string, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} failed: ${findReason(said)}`)
}
