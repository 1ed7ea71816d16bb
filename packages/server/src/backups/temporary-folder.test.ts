import {
  existsSync,
  mkdirSync,
  lutimesSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StoreError } from '../db/store-error.ts'
import { withTemporaryFolder } from './temporary-folder.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const age = (path: string) => utimesSync(path, 0, 0)

describe('a temporary folder', () => {
  it('is in the first folder that exists, and is removed with what is in it, also after a failure', async () => {
    const place = makeFolder()
    const work = async (folder: string) => {
      expect(folder.startsWith(place)).toBe(true)
      writeFileSync(join(folder, 'copy'), 'x')
      throw new Error('no')
    }
    await expect(withTemporaryFolder([join(place, 'none'), place], 1, work)).rejects.toThrow('no')
    expect(readdirSync(place)).toEqual([])
  })

  it('is not made where there is no room, which the error says in megabytes', async () => {
    const place = makeFolder()
    const made = withTemporaryFolder([place], 2 ** 60, async () => {})
    await expect(made).rejects.toThrow(StoreError)
    await expect(made).rejects.toThrow(`temporary copy of ${2 ** 40} MB plus 64 MB for others: ${place} has `)
    expect(readdirSync(place)).toEqual([])
  })

  it('is removed by the next one if a kill left it, but not while it is used or young', async () => {
    const place = makeFolder()
    const left = join(place, 'holdfast-temporary-left')
    const young = join(place, 'holdfast-temporary-young')
    const other = join(place, 'other')
    for (const folder of [left, young, other]) mkdirSync(folder)
    for (const folder of [left, other]) age(folder)
    const second = makeFolder()
    const leftThere = join(second, 'holdfast-temporary-left')
    const linked = makeFolder()
    const link = join(place, 'holdfast-temporary-link')
    mkdirSync(leftThere)
    symlinkSync(linked, link, 'junction')
    for (const folder of [leftThere, linked]) age(folder)
    lutimesSync(link, 0, 0)
    await withTemporaryFolder([place, second], 1, async (used) => {
      expect([leftThere, link].map((path) => existsSync(path))).toEqual([false, true])
      expect(readdirSync(linked)).toEqual([])
      expect([left, young, other].map((path) => existsSync(path))).toEqual([false, true, true])
      age(used)
      await withTemporaryFolder([place], 1, async () => expect(existsSync(used)).toBe(true))
    })
  })
})
