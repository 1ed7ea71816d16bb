import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tempDir } from './server-process.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'guarded-server.ts')

/** Runs a command in a separate network without connections. */
const apart = ['unshare', '--map-root-user', '--net'] as const

function canUnshare(): boolean {
  try {
    execFileSync(apart[0], [...apart.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function searchWith(command: readonly string[]): Promise<Record<string, unknown>> {
  const [file, ...args] = [...command, process.execPath, program, tempDir(), tempDir()]
  const { stdout } = await run(file, args, { env: { PATH: process.env['PATH'] } })
  return JSON.parse(stdout) as Record<string, unknown>
}

const byMeaning = {
  isGuarded: true,
  attempts: [],
  found: {
    searchMode: 'hybrid',
    degraded: [],
    semanticMatchCount: 1,
    memories: [{ content: expect.stringContaining('kitten') }],
  },
  notes: { searchMode: 'semantic_only', degraded: [] },
}

describe('a server with no settings', () => {
  it('searches by meaning and accesses no network', async () => {
    expect(await searchWith([])).toMatchObject(byMeaning)
  })

  it.skipIf(!canUnshare())('does so without a network', async () => {
    expect(await searchWith(apart)).toMatchObject(byMeaning)
  })
})
