#!/usr/bin/env node
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
