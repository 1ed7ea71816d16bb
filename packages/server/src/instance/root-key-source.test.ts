import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../core/ids.ts'
import { isOpenToOthers } from '../core/private-file.ts'
import { keyFromBytes, wrappingKeyFrom } from '../crypto/keys.ts'
import { StoreError } from '../db/store-error.ts'
import { createRootKeys, loadRootKeys, parseRootKeys, rootKeyFile, type RootKeySource } from './root-key-source.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-keys-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const id = newId()
const source = (over: Partial<RootKeySource> = {}): RootKeySource => ({
  given: undefined,
  command: undefined,
  dir: join(dir, 'keys'),
  ...over,
})
const idOf = (bytes: Uint8Array) => wrappingKeyFrom(keyFromBytes(bytes)).id

describe('the file of the root key', () => {
  it('is created for its user only, in a folder for its user only, and loaded from then on', () => {
    const made = createRootKeys(source(), id)
    const file = rootKeyFile(source(), id)
    expect(made.origin).toBe(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(dir, 'keys')).mode & 0o777).toBe(0o700)
    expect(isOpenToOthers(file)).toBe(false)
    const loaded = loadRootKeys(source(), id)
    expect(loaded.keys.primary.id).toBe(made.keys.primary.id)
    expect(loaded.keys.primary.id).toBe(idOf(Buffer.from(readFileSync(file, 'utf8'), 'base64')))
  })

  it('is never overwritten', () => {
    createRootKeys(source(), id)
    const before = readFileSync(rootKeyFile(source(), id), 'utf8')
    expect(() => createRootKeys(source(), id)).toThrow(/EEXIST/)
    expect(readFileSync(rootKeyFile(source(), id), 'utf8')).toBe(before)
  })

  it('that cannot be created or read is named, with the reason', () => {
    const notAFolder = join(dir, 'file')
    writeFileSync(notAFolder, '')
    const blocked = source({ dir: join(notAFolder, 'keys') })
    expect(() => createRootKeys(blocked, id)).toThrow(StoreError)
    expect(() => createRootKeys(blocked, id)).toThrow(/\((ENOTDIR|ENOENT)\)[^]*HOLDFAST_KEY_DIR/)
    mkdirSync(rootKeyFile(source(), id), { recursive: true })
    expect(() => loadRootKeys(source(), id)).toThrow(StoreError)
    expect(() => loadRootKeys(source(), id)).toThrow(/EISDIR/)
  })

  it('that is missing is named, with how to restore it, and not replaced', () => {
    const file = rootKeyFile(source(), id)
    expect(() => loadRootKeys(source(), id)).toThrow(StoreError)
    expect(() => loadRootKeys(source(), id)).toThrow(file)
    expect(() => loadRootKeys(source(), id)).toThrow(/Put the file back.*HOLDFAST_KEY_DIR.*HOLDFAST_ROOT_KEY/s)
    expect(existsSync(file)).toBe(false)
  })

  it('that others can read causes a warning', () => {
    createRootKeys(source(), id)
    const file = rootKeyFile(source(), id)
    for (const mode of [0o640, 0o604, 0o644]) {
      chmodSync(file, mode)
      expect(isOpenToOthers(file)).toBe(true)
    }
  })
})

describe('a root key from the configuration', () => {
  const key = randomBytes(32)
  const old = randomBytes(32)
  const given = (text: string) => source({ given: parseRootKeys(text, 'HOLDFAST_ROOT_KEY') })

  it.each([
    ['hex', key.toString('hex')],
    ['upper-case hex', key.toString('hex').toUpperCase()],
    ['base64', key.toString('base64')],
    ['base64 with a line break', `${key.toString('base64')}\n`],
  ])('is accepted as %s', (_form, text) => {
    const loaded = loadRootKeys(given(text), id)
    expect(loaded.keys.primary.id).toBe(idOf(key))
    expect(loaded.origin).toBe('HOLDFAST_ROOT_KEY')
    expect(existsSync(join(dir, 'keys'))).toBe(false)
  })

  it('is read from the output of a command', () => {
    const loaded = loadRootKeys(source({ command: `printf %s ${key.toString('hex')}` }), id)
    expect(loaded.keys.primary.id).toBe(idOf(key))
    expect(loaded.origin).toBe('HOLDFAST_ROOT_KEY_COMMAND')
  })

  it('can be one of several, the first of which wraps new keys', () => {
    const text = `${key.toString('base64')},${old.toString('hex')}`
    const { keys } = loadRootKeys(given(text), id)
    expect(keys.primary.id).toBe(idOf(key))
    expect([...keys.byId.keys()]).toEqual([idOf(key), idOf(old)])
  })

  it('is used unchanged for a new instance, without a file', () => {
    const made = createRootKeys(given(key.toString('hex')), id)
    expect(made.keys.primary.id).toBe(idOf(key))
    expect(existsSync(join(dir, 'keys'))).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['too short', randomBytes(31).toString('base64')],
    ['too long', randomBytes(33).toString('hex')],
    ['only half of it hex', randomBytes(16).toString('hex')],
    ['words', 'correct horse battery staple'],
    ['one good and one bad', `${key.toString('hex')},x`],
    ['base64 with a stray character', `*${key.toString('base64')}`],
    ['hex with a typo', `${key.toString('hex').slice(0, -1)}g`],
  ])('is rejected if it is %s, and not repeated', (_form, text) => {
    const load = () => parseRootKeys(text, 'HOLDFAST_ROOT_KEY')
    expect(load).toThrow(StoreError)
    expect(load).toThrow(/^HOLDFAST_ROOT_KEY does not contain valid root keys: each is 32 bytes/)
    for (const part of text.split(/[\s,]+/).filter(({ length }) => length > 3))
      expect(load).toThrow(expect.not.objectContaining({ message: expect.stringContaining(part) }))
  })

  it('is missing with a clear error if the command fails or prints something else', () => {
    expect(() => loadRootKeys(source({ command: 'exit 3' }), id)).toThrow(/^HOLDFAST_ROOT_KEY_COMMAND failed/)
    expect(() => loadRootKeys(source({ command: 'echo hello' }), id)).toThrow(
      /^the output of HOLDFAST_ROOT_KEY_COMMAND does not contain valid root keys/,
    )
  })
})
