import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { baseName, folderOf, join } from './paths.ts'

it('splits paths', () => {
  for (const path of ['a.md', 'a/b.md', 'a/b/c.md', 'with space/x'])
    expect([baseName(path), folderOf(path)]).toEqual([posix.basename(path), posix.dirname(path)])
})

it('resolves . and ..', () => {
  for (const [folder, path] of [
    ['.', 'b.md'],
    ['a', 'b.md'],
    ['a/b', '../c.md'],
    ['a', './b/./c.md'],
    ['a', '../../b.md'],
    ['a/b', '../..'],
  ] as const)
    expect(join(folder, path)).toBe(posix.join(folder, path))
})
