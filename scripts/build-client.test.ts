import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { buildClient } from './build-client.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function makeFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-build-test-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

it('builds into a new folder, and again over an earlier build', () => {
  const folder = join(makeFolder(), 'new', 'client')
  buildClient(folder)
  const names = readdirSync(folder).toSorted()
  expect(names).toEqual(['LICENSE', 'NOTICE', 'README.md', 'dist', 'package.json'])
  writeFileSync(join(folder, 'dist', 'left-over.js'), '')
  buildClient(folder)
  expect(readdirSync(folder).toSorted()).toEqual(names)
  expect(existsSync(join(folder, 'dist', 'left-over.js'))).toBe(false)
  expect(existsSync(join(folder, 'dist', 'index.js'))).toBe(true)
})

it.each([
  ['another file', { 'thesis.md': 'Mine.' }],
  ['another package', { 'package.json': '{ "name": "thesis" }', LICENSE: 'Mine.' }],
  ['a text without a package', { 'README.md': 'Mine.' }],
  ['an earlier build with something else in it', { 'package.json': '{\n  "name": "@holdfast/client"\n}', 'a.txt': '' }],
])('rejects a folder with %s, and leaves it unchanged', (_what, files) => {
  const folder = makeFolder(files)
  mkdirSync(join(folder, 'dist'))
  expect(() => buildClient(folder)).toThrow('Choose an empty folder')
  expect(readdirSync(folder).toSorted()).toEqual([...Object.keys(files), 'dist'].toSorted())
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
})

it('rejects the sources of the client', () => {
  const sources = join(import.meta.dirname, '../packages/client')
  expect(() => buildClient(sources)).toThrow('Choose an empty folder')
  expect(existsSync(join(sources, 'src/index.ts'))).toBe(true)
})
