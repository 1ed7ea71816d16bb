#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Compiled once, commands start with 0.6 s of processor time in place of 1.0. Beside the sources: whoever may write there may write
// the code too, which is not so of the folder for temporary files. Where it cannot be written, nothing is kept.
enableCompileCache(join(import.meta.dirname, '..', '.compiled'))

// Agents wait for hooks: those load a few small files, the other commands most of the server.
const args = process.argv.slice(2)
if (!(await isHook())) {
  const { run } = await import('./cli/program.ts')
  process.exitCode = await run(process.argv)
}

async function isHook(): Promise<boolean> {
  if (args[0] !== 'hook') return false
  const { isHookCall, runHook } = await import('@holdfast/hosts/hook/run-hook')
  if (!isHookCall(args)) return false
  await runHook(args.slice(1), process)
  return true
}
