import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const noPython = 3

/** Keeps what pip installed for the next run. Temporary folders of tests may be in memory, and frameworks take gigabytes. */
const installed = join(dirname(dirname(import.meta.dirname)), 'node_modules/.cache/python-client')

/** Runs check.sh, which starts servers of this checkout. Its last lines say what failed. */
function check(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const shell = spawn('sh', [join(import.meta.dirname, 'check.sh'), ...args], {
      env: { CHECK_FOLDER: installed, ...process.env, NODE: process.execPath },
    })
    let output = ''
    const keep = (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-8_000))
    shell.stdout.on('data', keep)
    shell.stderr.on('data', keep)
    shell.on('error', (error) => done({ code: noPython, output: error.message }))
    shell.on('close', (code) => done({ code, output }))
  })
}

it.for([
  ['the Python client', []],
  ['its adapters', ['adapters']],
] as const)('%s: lint, types, tests and examples pass', { timeout: 3_600_000 }, async ([, args], ctx) => {
  const { code, output } = await check(...args)
  if (code === noPython) ctx.skip(`Python is needed: ${output.trim()}`)
  expect(code, output).toBe(0)
})
