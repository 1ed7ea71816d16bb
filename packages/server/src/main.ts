#!/usr/bin/env node
// Agents wait for hooks: those load a few small files, the other commands most of the server.
const args = process.argv.slice(2)
const { isHookCall, runHook } = await import('@holdfast/hosts/hook/run-hook')
if (isHookCall(args)) await runHook(args.slice(1), process)
else {
  const { run } = await import('./cli/program.ts')
  process.exitCode = await run(process.argv)
}
