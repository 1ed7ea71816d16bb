import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const programs: [name: string, args: string[]][] = [
  ['the plugins', [join(import.meta.dirname, 'hook-program.ts')]],
  ['the command line', [join(import.meta.dirname, '../../../server/src/main.ts'), 'hook']],
]

/** Runs a hook whose host writes input but never closes stdin. */
async function runUnended(args: string[], said: string, env: Record<string, string>) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill())
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stdin.write(said)
  const begin = performance.now()
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  return { code, stderr, tookMs: performance.now() - begin }
}

describe.each(programs)('the hooks of %s', (_name, args) => {
  it('end in time if their host never closes stdin', async () => {
    const { code, stderr, tookMs } = await runUnended([...args, 'prompt'], '{"prompt":"What', { HOLDFAST_KEY: 'svc_x' })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Holdfast: the client took more than 0\.8 s .*memory\.\n$/),
    ])
    // Includes starting the program on a busy machine.
    expect(tookMs).toBeLessThan(6000)
  })
})

it('reports a problem on one line without control characters', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hook-program.ts'), 'no\u001b[2J\nhook'])
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  await new Promise((resolve) => child.on('close', resolve))
  expect(stderr).toMatch(/^Holdfast: unknown hook no \[2J hook\. Known hooks: .*\n$/)
})
