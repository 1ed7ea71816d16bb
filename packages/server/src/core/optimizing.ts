import { setFlagsFromString } from 'node:v8'

/**
 * Whether V8 may optimize functions that run often. A server may not while it starts: that takes 10 MB, mostly for the compilers themselves,
 * and doesn't make the start faster.
 */
export function allowOptimizing(isAllowed: boolean): void {
  // V8 doesn't have both compilers for other processors.
  if (process.arch !== 'x64' && process.arch !== 'arm64') return
  for (const compiler of ['maglev', 'turbo']) setFlagsFromString(`--${compiler}-filter=${isAllowed ? '*' : '~'}`)
}
