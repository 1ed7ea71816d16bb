import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { withLock } from './bootstrap-npm.mjs'
import { agree, hasHash, isRecentEnough } from './bootstrap-provide.mjs'
import { root } from './checks.ts'

describe('isRecentEnough', () => {
  it('accepts Node 24 and newer', () => {
    expect(['24.0.0', '24.21.0', '26.1.0', '100.0.0'].every(isRecentEnough)).toBe(true)
    expect(['18.20.8', '20.20.2', '22.99.0', '23.11.1', '4.24.0'].some(isRecentEnough)).toBe(false)
  })
})

describe('agree', () => {
  const lock = {
    packages: {
      '': { version: '0.1.0' },
      'packages/server': { version: '0.1.0' },
      'node_modules/holdfast': { resolved: 'packages/server', link: true },
      'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
      'node_modules/binding-for-another-platform': { version: '1.0.0', integrity: 'sha512-b', optional: true },
    },
  }
  const linked = { 'node_modules/holdfast': { resolved: 'packages/server', link: true } }

  it('accepts an install without the optional packages', () => {
    const installed = { packages: { ...linked, 'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' } } }
    expect(agree(lock, installed)).toBe(true)
  })

  it('detects a missing package, another version, or other contents', () => {
    expect(agree(lock, { packages: linked })).toBe(false)
    for (const zod of [
      { version: '4.6.6', integrity: 'sha512-a' },
      { version: '4.6.7', integrity: 'sha512-c' },
    ])
      expect(agree(lock, { packages: { ...linked, 'node_modules/zod': zod } })).toBe(false)
  })

  it('detects a workspace package that is not linked', () => {
    const installed = { packages: { 'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' } } }
    expect(agree(lock, installed)).toBe(false)
  })
})

describe('hasHash', () => {
  it('recognizes a program by its bytes', () => {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-hash-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const file = join(dir, 'node')
    writeFileSync(file, 'abc')
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(hasHash(file, abc)).toBe(true)
    writeFileSync(file, 'abd')
    expect(hasHash(file, abc)).toBe(false)
  })
})

describe('withLock', () => {
  let dir
  let file
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'holdfast-lock-'))
    file = join(dir, 'install.lock')
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it('lets one in at a time and removes the lock', async () => {
    let inside = 0
    let most = 0
    const work = async () => {
      inside += 1
      most = Math.max(most, inside)
      await sleep(20)
      inside -= 1
    }
    await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)])
    expect(most).toBe(1)
    expect(existsSync(file)).toBe(false)
  })

  it('is released if the work fails', async () => {
    await expect(withLock(file, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
    expect(existsSync(file)).toBe(false)
  })

  it('takes over an old lock, but not earlier', async () => {
    writeFileSync(file, '')
    setTimeout(() => utimesSync(file, 1, 1), 300)
    const started = Date.now()
    await withLock(file, async () => {})
    expect(Date.now() - started).toBeGreaterThan(250)
  })

  it('is refreshed during the work', async () => {
    await withLock(file, async () => {
      utimesSync(file, 1, 1)
      await sleep(1300)
      expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(1300)
    })
  })
})

describe.skipIf(process.platform === 'win32')('a command in the folder of a project', { timeout: 60_000 }, () => {
  it('works on that folder, and prints commands that can be run there', () => {
    const project = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-project-')))
    onTestFinished(() => rmSync(project, { recursive: true }))
    const given = Object.entries(process.env).filter(([name]) => !/^(HOLDFAST_|npm_|INIT_CWD)/i.test(name))
    const holdfast = (...args) =>
      spawnSync('npm', ['--prefix', root, 'run', '-s', 'holdfast', '--', ...args], {
        cwd: project,
        env: Object.fromEntries(given),
        encoding: 'utf8',
      })
    expect(holdfast('link', 'app').stdout).toContain(join(project, '.holdfast.json'))
    expect(readFileSync(join(project, '.holdfast.json'), 'utf8')).toContain('"app"')
    expect(holdfast('keys', 'list', '--data-dir', 'store').stderr).toBe(
      `No Holdfast instance in ${join(project, 'store')}.\nGive its data folder with --data-dir, or create a new instance ` +
        `with \`npm --prefix ${root} run -s holdfast -- setup --data-dir ${join(project, 'store')}\`.\n`,
    )
  })

  it('uses the data folder of the checkout', () => {
    const program = join(root, 'packages/server/src/core/program.ts')
    const print = `import(${JSON.stringify(program)}).then(({ defaultDataDir }) => console.log(defaultDataDir))`
    const { stdout } = spawnSync(process.execPath, ['-e', print], { cwd: tmpdir(), encoding: 'utf8' })
    expect(stdout.trim()).toBe(join(root, 'data'))
  })
})

describe.skipIf(process.platform === 'win32')('a start', { timeout: 60_000 }, () => {
  let dir
  let child
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'holdfast-start-'))))
  afterEach(async () => {
    // Only a failed test leaves the server running.
    if (existsSync(serverFile())) process.kill(-child.pid, 'SIGKILL')
    rmSync(dir, { recursive: true })
  })

  const serverFile = () => join(dir, 'data', 'server.json')

  async function start(program, args) {
    const given = Object.entries(process.env).filter(([name]) => !/^(HOLDFAST|npm)_/i.test(name))
    const places = { HOLDFAST_DATA_DIR: join(dir, 'data'), HOLDFAST_KEY_DIR: join(dir, 'keys'), HOLDFAST_PORT: '0' }
    child = spawn(program, args, { cwd: root, env: { ...Object.fromEntries(given), ...places }, detached: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    for (let waitedMs = 0; !output.includes('Stop with'); waitedMs += 50) {
      if (waitedMs > 30_000 || child.exitCode !== null) throw new Error(`no start: ${output}`)
      await sleep(50)
    }
    expect(existsSync(serverFile())).toBe(true)
  }

  it('with npm stops everything cleanly, in spite of the shell in between', async () => {
    await start('npm', ['start'])
    child.kill('SIGTERM')
    // Emitted when npm, the shell, the start script and the server have all closed the output.
    await once(child, 'close')
    expect(existsSync(serverFile())).toBe(false)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('without npm forwards %s', async (signal) => {
    await start(process.execPath, [join(root, 'scripts', 'bootstrap.mjs'), 'start'])
    child.kill(signal)
    await once(child, 'close')
    expect(existsSync(serverFile())).toBe(false)
  })
})
