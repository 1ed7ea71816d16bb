import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findProgram } from '../../../test/program.ts'

/** The command line as a separate process, in its own folder and with its own home. */

// Like the start script: caches compiled code between processes.
const compileCache = join(import.meta.dirname, '../../../../../.runtime/compile-cache')

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface Machine {
  folder: string
  home: string
  run(args: readonly string[], env?: Record<string, string>, stdin?: string): Promise<Finished>
}

/** For one test. Removed after it. */
export async function makeMachine(settings: Record<string, string> = {}): Promise<Machine> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-machine-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const given = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_') && name !== 'NO_COLOR')
  const base = {
    ...Object.fromEntries(given),
    HOME: root,
    USERPROFILE: root,
    XDG_CONFIG_HOME: join(root, '.config'),
    NODE_COMPILE_CACHE: compileCache,
    ...settings,
  }
  const folder = await mkdtemp(join(root, 'project-'))
  return {
    folder,
    home: root,
    run: (args, env = {}, stdin = '') => runProcess(args, { cwd: folder, env: { ...base, ...env } }, stdin),
  }
}

function runProcess(
  args: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined> },
  stdin: string,
): Promise<Finished> {
  const child = spawn(process.execPath, [findProgram(), ...args], options)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
