import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildImage, runImage, type Image } from './deploy/image.ts'

/**
 * The image of the Dockerfile, built and run without a container engine. What this can't show: that the images named there exist, that
 * this machine's libraries are those of the image, and another architecture.
 */

const setUp = 'echo a long and private sentence | holdfast setup --email ada@example.org --password-stdin'

const hasTools =
  process.getuid?.() === 0 &&
  ['bwrap', 'setpriv'].every((tool) => spawnSync(tool, ['--version']).status === 0) &&
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true']).status === 0

describe.skipIf(!hasTools)('the image (skipped without root, bubblewrap and setpriv)', { timeout: 900_000 }, () => {
  // On a disk: it has two copies of all dependencies.
  const place = mkdtempSync('/var/tmp/holdfast-image-')
  let image: Image
  beforeAll(() => {
    image = buildImage(place)
  }, 1_800_000)
  afterAll(() => rmSync(place, { recursive: true }), 300_000)

  it('contains the package and machine code for this architecture and the other, but no sources, keys or tests', () => {
    const app = join(image.folder, 'app')
    expect(readdirSync(app).toSorted()).toEqual(expect.arrayContaining(['dashboard', 'dist', 'node_modules']))
    expect(globSync('**/*.{ts,key}', { cwd: app, exclude: (name) => name === 'node_modules' })).toEqual([])
    for (const architecture of ['x64', 'arm64'])
      expect(existsSync(join(app, `node_modules/better-sqlite3/prebuilds/linux-${architecture}.node`))).toBe(true)
    const lock = readFileSync(join(image.folder, '../build/src/package-lock.json'), 'utf8')
    for (const architecture of ['x64', 'arm64']) expect(lock).toContain(`@node-rs/argon2-linux-${architecture}-gnu"`)
  })

  it('serves as a user without rights, on a read-only file system, is healthy, keeps its data, and stops on SIGTERM', async () => {
    const uid = Number(image.user.split(':')[0])
    expect(uid).toBeGreaterThan(999)
    const volume = join(place, 'volume')
    mkdirSync(volume)
    chownSync(volume, uid, uid)
    const key = join(place, 'root_key')
    writeFileSync(key, Buffer.alloc(32, 7).toString('base64'), { mode: 0o400 })
    chownSync(key, uid, uid)
    const env = { HOLDFAST_PORT: String(await findPort()), HOLDFAST_ROOT_KEY_FILE: '/root_key' }
    const run = { env, volume, files: [[key, '/root_key']] as [string, string][] }
    writeFileSync(join(image.folder, 'root_key'), '')
    for (const isFirst of [true, false]) {
      const server = runImage(image, [...image.entrypoint, ...image.cmd], run)
      let output = ''
      for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
      const exited = once(server, 'exit')
      while (!output.includes('Stop with')) {
        expect(server.exitCode, output).toBe(null)
        await sleep(100)
      }
      expect(output.includes('No account yet')).toBe(isFirst)
      expect(await codeOf(image.healthcheck)).toBe(0)
      expect(await codeOf(['sh', '-c', 'touch /x /app/x /keys/x'])).not.toBe(0)
      // The second time, there is an owner.
      expect((await codeOf(['sh', '-c', setUp])) === 0).toBe(isFirst)
      // Process 1 of its own namespace: it only gets signals that it handles.
      const inside = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim()
      process.kill(Number(inside), 'SIGTERM')
      expect([(await exited)[0], output]).toEqual([0, expect.stringContaining('stopping on SIGTERM')])
      expect(await codeOf(image.healthcheck)).toBe(1)
    }

    async function codeOf(command: string[]): Promise<unknown> {
      return (await once(runImage(image, command, run), 'exit'))[0]
    }
  })
})

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
