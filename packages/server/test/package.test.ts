import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const maxBytes = 25 * 1024 * 1024

describe('the package of the server', () => {
  let pack: { size: number; files: { path: string }[] }
  beforeAll(async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: join(import.meta.dirname, '..') })
    ;[pack] = JSON.parse(stdout) as [typeof pack]
  })

  it('has 25 MB at most, the model included', () => {
    expect(pack.size).toBeLessThan(maxBytes)
    // The model alone, because numbers hardly compress.
    expect(pack.size).toBeGreaterThan(6 * 1024 * 1024)
  })

  it('contains the program and its assets, and no tests', () => {
    const paths = pack.files.map(({ path }) => path)
    const expected = ['package.json', 'src/main.ts', 'assets/static-256.bin', 'assets/common-passwords.txt']
    expect(paths).toEqual(expect.arrayContaining(expected))
    expect(paths.filter((path) => /\.(test|suite)\.ts$|^test\/|\/test(ing|data)\//.test(path))).toEqual([])
  })

  it('contains the license and the model’s attribution, as in the root folder', () => {
    expect(pack.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE']))
    const folder = join(import.meta.dirname, '..')
    // Copies, because a package cannot reach outside its folder.
    for (const file of ['LICENSE', 'NOTICE'])
      expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(folder, '../..', file), 'utf8'))
    expect(readFileSync(join(folder, 'NOTICE'), 'utf8')).toContain('all-MiniLM-L6-v2')
  })
})
