import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setUp, siteFor, spawnServer, startServer, tempDir, type Site } from './server-process.ts'

async function expectRefusal(site: Site, words: RegExp): Promise<void> {
  const server = spawnServer(site)
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.output()).toMatch(words)
  expect(server.output()).not.toMatch(/at .*\.ts:\d+/)
}

it('a start without the right root key fails with a clear error and changes nothing', async () => {
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  await setUp(site)
  const wrong = randomBytes(32).toString('base64')
  await expectRefusal(
    { ...site, env: { ...site.env, HOLDFAST_ROOT_KEY: wrong } },
    /^The root key from HOLDFAST_ROOT_KEY is not the one that encrypts this database/,
  )
  const key = readdirSync(site.keyDir).find((name) => name.endsWith('.key')) ?? ''
  renameSync(join(site.keyDir, key), join(site.keyDir, 'put aside'))
  await expectRefusal(site, /^The root key of this data folder is missing: .*\.key\n.*Put the file back/)
  expect(readdirSync(site.keyDir)).toEqual(['put aside'])
  renameSync(join(site.keyDir, 'put aside'), join(site.keyDir, key))
  expect(await (await startServer(site)).kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

it('a key file that others can read causes a warning at startup until its mode is fixed', async () => {
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  await setUp(site)
  const file = join(site.keyDir, readdirSync(site.keyDir).find((name) => name.endsWith('.key')) ?? '')
  const outputWithMode = async (mode: number) => {
    chmodSync(file, mode)
    const server = await startServer(site)
    await server.kill('SIGTERM')
    return server.output()
  }
  const warned = await outputWithMode(0o644)
  expect(warned).toContain(`Others can read this file: chmod 600 ${file}`)
  expect(warned).toContain('other users of this machine can read the root key file')
  expect(await outputWithMode(0o600)).not.toMatch(/can read (this|the) file/)
})
