import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoreError } from '../db/store-error.ts'
import { lockDataDir } from './lock.ts'

let dir = ''
const children: ChildProcess[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

const program = `
  const { lockDataDir } = await import(process.argv[1])
  try {
    lockDataDir(process.argv[2])
    // Its result is not kept: that must not free the folder.
    gc()
    console.log('locked')
    setInterval(() => {}, 1000)
  } catch (error) {
    console.log(error.name + ': ' + error.message)
  }
`

/** Another process that locks the folder and keeps running, or says why it could not. */
async function startOther(): Promise<{ child: ChildProcess; said: string }> {
  const lockModule = new URL('lock.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, lockModule, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString().trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

it('lets one process own a folder and tells the second what to do', async () => {
  const { child, said } = await startOther()
  expect(said).toBe('locked')
  expect(() => lockDataDir(dir)).toThrow(StoreError)
  expect(() => lockDataDir(dir)).toThrow(
    `Another Holdfast is running on the data folder ${dir}. Stop it first, or set another HOLDFAST_DATA_DIR for this one.`,
  )
  await kill(child)
})

it('is released when its process is killed', async () => {
  const { child } = await startOther()
  await kill(child)
  expect(() => lockDataDir(dir).release()).not.toThrow()
})

it('keeps a second process out until the lock is released', async () => {
  const lock = lockDataDir(dir)
  const refused = await startOther()
  expect(refused.said).toMatch(/^StoreError: Another Holdfast is running/)
  lock.release()
  const admitted = await startOther()
  expect(admitted.said).toBe('locked')
  await kill(admitted.child)
})

it('also keeps out the same process', () => {
  const lock = lockDataDir(dir)
  expect(() => lockDataDir(dir)).toThrow(/Another Holdfast/)
  lock.release()
  lockDataDir(dir).release()
})

it('creates the folder, only for its own user', () => {
  const inner = join(dir, 'a', 'b')
  lockDataDir(inner).release()
  expect(statSync(inner).mode & 0o777).toBe(0o700)
})

it('says that a folder cannot be locked if a file has its name', () => {
  const file = join(dir, 'file')
  writeFileSync(file, '')
  expect(() => lockDataDir(file)).toThrow(StoreError)
})

// The superuser can write anywhere.
it.skipIf(process.getuid?.() === 0)('says that this user may not write to the folder', () => {
  chmodSync(dir, 0o500)
  expect(() => lockDataDir(dir)).toThrow(/This user may not read and write .* \(EACCES\)/)
  chmodSync(dir, 0o700)
})
